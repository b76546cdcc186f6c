// Ranges as plain values; union and difference are merges of two sorted lists.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace algebra {

struct Piece {
    int from;
    int upto;
};

using Pieces = std::vector<Piece>;

Pieces normal(Pieces raw) {
    std::sort(raw.begin(), raw.end(), [](const Piece& a, const Piece& b) { return a.from < b.from; });
    Pieces out;
    for (const Piece& piece : raw) {
        if (piece.upto <= piece.from)
            continue;
        if (!out.empty() && out.back().upto >= piece.from)
            out.back().upto = std::max(out.back().upto, piece.upto);
        else
            out.push_back(piece);
    }
    return out;
}

template <typename Keep>
Pieces combine(const Pieces& left, const Pieces& right, Keep keep) {
    std::vector<int> cuts;
    for (const Pieces* side : {&left, &right})
        for (const Piece& piece : *side) {
            cuts.push_back(piece.from);
            cuts.push_back(piece.upto);
        }
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    auto covers = [](const Pieces& side, int place) {
        return std::any_of(side.begin(), side.end(), [place](const Piece& it) { return it.from <= place && place < it.upto; });
    };
    Pieces out;
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i)
        if (keep(covers(left, cuts[i]), covers(right, cuts[i])))
            out.push_back({cuts[i], cuts[i + 1]});
    return normal(out);
}

Pieces read(const std::string& text) {
    Pieces out;
    std::size_t at = 0;
    while (at < text.size()) {
        std::size_t comma = std::min(text.find(',', at), text.size());
        std::string part = text.substr(at, comma - at);
        std::size_t dash = part.find('-');
        int low = std::stoi(part);
        int high = dash == std::string::npos ? low : std::stoi(part.substr(dash + 1));
        if (high < low)
            throw std::invalid_argument(part);
        out.push_back({low, high + 1});
        at = comma + 1;
    }
    return normal(out);
}

}  // namespace algebra

int main() {
    using namespace algebra;
    const Pieces found = combine(read("1-5,9-12,6-7"), read("3-10"), [](bool a, bool b) { return a && !b; });
    for (const Piece& piece : found)
        std::printf("%d-%d ", piece.from, piece.upto - 1);
    const int total = std::accumulate(found.begin(), found.end(), 0, [](int sum, const Piece& it) { return sum + it.upto - it.from; });
    std::printf("%d\n", total);
}
