// Two tables: the young one is filled, and when it is full it becomes the old one.
#include <chrono>
#include <cstdint>
#include <iostream>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>

using Time = std::int64_t;

struct Held {
    std::string payload;
    Time until;
};

class Generations {
    typedef std::unordered_map<std::uint64_t, Held> Table;
    Table tables[2];
    int young = 0;
    std::size_t limit;
    mutable std::shared_mutex guard;

    static std::uint64_t digest(const std::string& text) {
        std::uint64_t hash = 14695981039346656037ull;
        for (unsigned char letter : text) {
            hash ^= letter;
            hash *= 1099511628211ull;
        }
        return hash;
    }

    void turn() {
        young ^= 1;
        tables[young].clear();
    }

public:
    explicit Generations(std::size_t each) : limit(each) {}

    void remember(const std::string& name, const std::string& payload, Time now, Time life) {
        std::unique_lock lock(guard);
        if (tables[young].size() >= limit)
            turn();
        const auto hash = digest(name);
        tables[young ^ 1].erase(hash);
        tables[young].insert_or_assign(hash, Held{payload, now + life});
    }

    bool recall(const std::string& name, Time now, std::string& out) {
        std::unique_lock lock(guard);
        const auto hash = digest(name);
        for (int generation = 0; generation < 2; ++generation) {
            Table& table = tables[young ^ generation];
            const auto place = table.find(hash);
            if (place == table.end())
                continue;
            if (place->second.until <= now) {
                table.erase(place);
                return false;
            }
            out = place->second.payload;
            if (generation == 1) {
                auto node = table.extract(place);
                if (tables[young].size() >= limit)
                    turn();
                tables[young].insert(std::move(node));
            }
            return true;
        }
        return false;
    }

    std::size_t alive(Time now) const {
        std::shared_lock lock(guard);
        std::size_t count = 0;
        for (const Table& table : tables)
            for (const auto& pair : table)
                count += pair.second.until > now;
        return count;
    }
};

int main() {
    Generations cache(2);
    std::string out;
    cache.remember("a", "one", 0, 100);
    cache.remember("b", "two", 1, 5);
    std::cout << cache.recall("a", 2, out) << out << '\n';
    cache.remember("c", "three", 3, 100);
    std::cout << cache.alive(10) << cache.recall("b", 10, out) << cache.recall("c", 10, out) << out << '\n';
}
