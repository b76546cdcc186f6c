package cache;

import java.util.HashMap;
import java.util.Map;

/** Least recently used leaves first; the order is a ring of nodes. */
public class Linked<K, V> {
    private static class Node<K, V> {
        K key;
        V value;
        Node<K, V> newer;
        Node<K, V> older;
    }

    private final Map<K, Node<K, V>> nodes = new HashMap<>();
    private final Node<K, V> ring = new Node<>();
    private final int most;

    public Linked(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("room for one at least");
        }
        this.most = most;
        ring.newer = ring;
        ring.older = ring;
    }

    public V get(K key) {
        Node<K, V> node = nodes.get(key);
        if (node == null) {
            return null;
        }
        cut(node);
        link(node);
        return node.value;
    }

    public V put(K key, V value) {
        Node<K, V> node = nodes.get(key);
        V before = null;
        if (node != null) {
            before = node.value;
            cut(node);
        } else {
            if (nodes.size() == most) {
                remove(ring.newer.key);
            }
            node = new Node<>();
            node.key = key;
            nodes.put(key, node);
        }
        node.value = value;
        link(node);
        return before;
    }

    public V remove(K key) {
        Node<K, V> node = nodes.remove(key);
        if (node == null) {
            return null;
        }
        cut(node);
        return node.value;
    }

    private void cut(Node<K, V> node) {
        node.older.newer = node.newer;
        node.newer.older = node.older;
    }

    private void link(Node<K, V> node) {
        node.older = ring.older;
        node.newer = ring;
        ring.older.newer = node;
        ring.older = node;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("[");
        for (Node<K, V> node = ring.newer; node != ring; node = node.newer) {
            text.append(node.key).append('=').append(node.value).append(node.newer == ring ? "" : ", ");
        }
        return text.append(']').toString();
    }

    public static void main(String[] args) {
        Linked<String, Integer> cache = new Linked<>(2);
        cache.put("a", 1);
        cache.put("b", 2);
        cache.get("a");
        cache.put("c", 3);
        System.out.println(cache + " " + cache.get("b"));
    }
}
