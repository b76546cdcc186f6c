// Splits into words first, then reduces brackets and signs in place until one word is left.
#include <iostream>
#include <list>
#include <regex>
#include <set>
#include <string>

using Words = std::list<std::string>;

Words split(const std::string& text) {
    static const std::regex word(R"(\s*(\d+(?:\.\d+)?|[-+*/()]))");
    Words words;
    auto begin = std::sregex_iterator(text.begin(), text.end(), word);
    std::ptrdiff_t seen = 0;
    for (auto it = begin; it != std::sregex_iterator(); ++it) {
        if (it->position() != seen)
            throw std::string("strange letter");
        seen += it->length();
        words.push_back((*it)[1]);
    }
    return words;
}

bool is_number(const std::string& word) {
    return word.size() > 1 || (word[0] >= '0' && word[0] <= '9');
}

void fold_negatives(Words& words) {
    bool sign_before = true;
    for (auto it = words.begin(); it != words.end(); ++it) {
        auto next = std::next(it);
        if (*it == "-" && sign_before && next != words.end() && is_number(*next)) {
            *next = std::to_string(-std::stod(*next));
            it = words.erase(it);
        }
        sign_before = !is_number(*it);
    }
}

void reduce(Words& words, const std::set<std::string>& signs) {
    auto it = words.begin();
    while (it != words.end()) {
        if (signs.count(*it) == 0) {
            ++it;
            continue;
        }
        if (it == words.begin() || std::next(it) == words.end())
            throw std::string("a sign without a number");
        auto left = std::prev(it), right = std::next(it);
        const double one = std::stod(*left), other = std::stod(*right);
        if (*it == "/" && other == 0)
            throw std::string("division by zero");
        const double made = *it == "*" ? one * other : *it == "/" ? one / other : *it == "+" ? one + other : one - other;
        *right = std::to_string(made);
        words.erase(left);
        it = words.erase(it);
    }
}

double value_of(Words words) {
    for (auto close = std::find(words.begin(), words.end(), ")"); close != words.end();
         close = std::find(words.begin(), words.end(), ")")) {
        auto open = close;
        while (*open != "(") {
            if (open == words.begin())
                throw std::string("a bracket is not opened");
            --open;
        }
        Words inner(std::next(open), close);
        *close = std::to_string(value_of(inner));
        words.erase(open, close);
    }
    fold_negatives(words);
    reduce(words, {"*", "/"});
    reduce(words, {"+", "-"});
    if (words.size() != 1)
        throw std::string("no single number is left");
    return std::stod(words.front());
}

int main() {
    for (const std::string text : {"1 + 2*3", "(1+2)*3 - -4", "2/0", "2 +"}) {
        try {
            std::cout << value_of(split(text)) << std::endl;
        } catch (const std::string& why) {
            std::cout << why << std::endl;
        }
    }
}
