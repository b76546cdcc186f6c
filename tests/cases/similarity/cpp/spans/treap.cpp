// Disjoint ranges in a tree that keeps its balance by random priorities.
#include <cstdint>
#include <iostream>
#include <memory>
#include <utility>

struct Node;
using Link = std::unique_ptr<Node>;

struct Node {
    int low, high;
    std::uint32_t priority;
    Link left, right;
};

static std::uint32_t state = 2463534242u;

static std::uint32_t draw() {
    state ^= state << 13;
    state ^= state >> 17;
    return state ^= state << 5;
}

// Everything that ends before `place` goes to the first of the two.
static std::pair<Link, Link> cut(Link node, int place) {
    if (!node)
        return {};
    if (node->high < place) {
        auto [inner, outer] = cut(std::move(node->right), place);
        node->right = std::move(inner);
        return {std::move(node), std::move(outer)};
    }
    auto [inner, outer] = cut(std::move(node->left), place);
    node->left = std::move(outer);
    return {std::move(inner), std::move(node)};
}

static Link join(Link one, Link other) {
    if (!one || !other)
        return one ? std::move(one) : std::move(other);
    if (one->priority > other->priority) {
        one->right = join(std::move(one->right), std::move(other));
        return one;
    }
    other->left = join(std::move(one), std::move(other->left));
    return other;
}

static Link pop_first(Link& root) {
    if (!root->left) {
        Link first = std::move(root);
        root = std::move(first->right);
        return first;
    }
    return pop_first(root->left);
}

static const Node* first_of(const Link& root) {
    const Node* node = root.get();
    while (node && node->left)
        node = node->left.get();
    return node;
}

static void change(Link& root, int low, int high, bool present) {
    auto [before, rest] = cut(std::move(root), present ? low - 1 : low);
    int from = low, upto = high;
    Link kept;
    for (const Node* next = first_of(rest); next && next->low <= high + (present ? 1 : 0); next = first_of(rest)) {
        Link gone = pop_first(rest);
        from = std::min(from, gone->low);
        upto = std::max(upto, gone->high);
    }
    if (present) {
        kept = Link(new Node{from, upto, draw(), {}, {}});
    } else {
        if (from < low)
            kept = Link(new Node{from, low - 1, draw(), {}, {}});
        if (upto > high)
            kept = join(std::move(kept), Link(new Node{high + 1, upto, draw(), {}, {}}));
    }
    root = join(std::move(before), join(std::move(kept), std::move(rest)));
}

static void show(const Link& node) {
    if (node) {
        show(node->left);
        std::cout << node->low << '-' << node->high << ' ';
        show(node->right);
    }
}

int main() {
    Link root;
    change(root, 1, 5, true);
    change(root, 9, 12, true);
    change(root, 6, 7, true);
    change(root, 3, 10, false);
    show(root);
    std::cout << '\n';
}
