// Least often used goes first; among those used equally often, the oldest.
#include <array>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

class Frequent {
    struct Entry {
        double value;
        unsigned uses;
        unsigned long turn;
    };
    using Rank = std::tuple<unsigned, unsigned long, std::string>;

    std::map<std::string, Entry> entries;
    std::set<Rank> ranks;
    unsigned long turn = 0;
    const std::size_t room;

    void rerank(const std::string& key, Entry& entry) {
        ranks.erase(Rank(entry.uses, entry.turn, key));
        entry.uses += 1;
        entry.turn = ++turn;
        ranks.emplace(entry.uses, entry.turn, key);
    }

public:
    explicit Frequent(std::size_t size) : room(size) {}

    const double* peek(const std::string& key) const {
        const auto at = entries.find(key);
        return at == entries.end() ? nullptr : &at->second.value;
    }

    const double* use(const std::string& key) {
        const auto at = entries.find(key);
        if (at == entries.end())
            return nullptr;
        rerank(key, at->second);
        return &at->second.value;
    }

    void keep(const std::string& key, double value) {
        const auto at = entries.find(key);
        if (at != entries.end()) {
            at->second.value = value;
            rerank(key, at->second);
            return;
        }
        if (room == 0)
            return;
        if (entries.size() == room) {
            const auto least = ranks.begin();
            entries.erase(std::get<2>(*least));
            ranks.erase(least);
        }
        const Entry fresh{value, 1, ++turn};
        entries.emplace(key, fresh);
        ranks.emplace(fresh.uses, fresh.turn, key);
    }

    // Halves all counts, so that what was popular long ago does not stay for ever.
    void age() {
        std::set<Rank> aged;
        for (auto& [key, entry] : entries) {
            entry.uses = (entry.uses + 1) / 2;
            aged.emplace(entry.uses, entry.turn, key);
        }
        ranks.swap(aged);
    }

    std::vector<std::string> least_first() const {
        std::vector<std::string> keys;
        for (const Rank& rank : ranks)
            keys.push_back(std::get<2>(rank));
        return keys;
    }
};

int main() {
    Frequent cache(2);
    cache.keep("a", 1);
    cache.keep("b", 2);
    cache.use("a");
    cache.keep("c", 3);
    const std::array<const char*, 3> names{"a", "b", "c"};
    for (const char* name : names)
        std::printf("%s %d\n", name, cache.peek(name) != nullptr);
    cache.age();
    for (const std::string& key : cache.least_first())
        std::printf("%s ", key.c_str());
    std::printf("\n");
}
