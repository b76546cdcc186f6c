// A set of ranges in an ordered map from each start to its end.
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>

class Spans {
public:
    void add(long low, long high) {
        auto at = starts_.upper_bound(low);
        if (at != starts_.begin()) {
            auto before = std::prev(at);
            if (before->second + 1 >= low) {
                low = before->first;
                high = std::max(high, before->second);
                at = starts_.erase(before);
            }
        }
        while (at != starts_.end() && at->first <= high + 1) {
            high = std::max(high, at->second);
            at = starts_.erase(at);
        }
        starts_.emplace(low, high);
    }

    void remove(long low, long high) {
        auto at = starts_.upper_bound(high);
        while (at != starts_.begin()) {
            --at;
            if (at->second < low)
                return;
            const long first = at->first, last = at->second;
            at = starts_.erase(at);
            if (last > high)
                at = starts_.emplace(high + 1, last).first;
            if (first < low)
                at = starts_.emplace(first, low - 1).first;
        }
    }

    bool has(long value) const {
        auto at = starts_.upper_bound(value);
        return at != starts_.begin() && std::prev(at)->second >= value;
    }

    long size() const {
        long total = 0;
        for (const auto& [low, high] : starts_)
            total += high - low + 1;
        return total;
    }

    std::string text() const {
        std::ostringstream out;
        for (auto at = starts_.begin(); at != starts_.end(); ++at) {
            if (at != starts_.begin())
                out << ',';
            out << at->first;
            if (at->second != at->first)
                out << '-' << at->second;
        }
        return out.str();
    }

private:
    std::map<long, long> starts_;
};

int main() {
    Spans spans;
    spans.add(1, 5);
    spans.add(9, 12);
    spans.add(6, 7);
    spans.remove(3, 10);
    std::cout << spans.text() << ' ' << spans.size() << ' ' << spans.has(2) << spans.has(4) << '\n';
}
