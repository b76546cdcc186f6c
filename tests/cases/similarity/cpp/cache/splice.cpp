// Least recently used goes first: a list in order of use and an index into it.
#include <functional>
#include <iostream>
#include <list>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

template <typename Key, typename Value>
class RecentCache {
public:
    using Leaver = std::function<void(const Key&, const Value&)>;

    explicit RecentCache(std::size_t most, Leaver leaver = nullptr) : most_(most), leaver_(std::move(leaver)) {}

    std::optional<Value> get(const Key& key) {
        auto found = index_.find(key);
        if (found == index_.end()) {
            ++missed_;
            return std::nullopt;
        }
        order_.splice(order_.begin(), order_, found->second);
        ++found_;
        return found->second->second;
    }

    void put(const Key& key, Value value) {
        if (auto found = index_.find(key); found != index_.end()) {
            found->second->second = std::move(value);
            order_.splice(order_.begin(), order_, found->second);
            return;
        }
        order_.emplace_front(key, std::move(value));
        index_[key] = order_.begin();
        shrink();
    }

    bool erase(const Key& key) {
        auto found = index_.find(key);
        if (found == index_.end())
            return false;
        order_.erase(found->second);
        index_.erase(found);
        return true;
    }

    void resize(std::size_t most) {
        most_ = most;
        shrink();
    }

    double rate() const {
        const auto asked = found_ + missed_;
        return asked == 0 ? 0.0 : static_cast<double>(found_) / asked;
    }

private:
    using Order = std::list<std::pair<Key, Value>>;
    using Place = typename Order::iterator;

    void shrink() {
        while (order_.size() > most_) {
            auto& [key, value] = order_.back();
            if (leaver_)
                leaver_(key, value);
            index_.erase(key);
            order_.pop_back();
        }
    }

    std::size_t most_, found_ = 0, missed_ = 0;
    Leaver leaver_;
    Order order_;
    std::unordered_map<Key, Place> index_;
};

int main() {
    RecentCache<std::string, int> cache(2, [](const std::string& key, int) { std::cout << "gone " << key << '\n'; });
    cache.put("a", 1);
    cache.put("b", 2);
    cache.get("a");
    cache.put("c", 3);
    std::cout << cache.get("b").has_value() << cache.get("c").value_or(0) << ' ' << cache.rate() << '\n';
    cache.resize(1);
    std::cout << cache.erase("a") << cache.erase("c") << '\n';
}
