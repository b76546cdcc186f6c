// Parses into a tree of variants, and evaluates it with a visitor.
#include <cctype>
#include <iostream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <variant>

struct Binary;
struct Negative;
using Tree = std::variant<double, std::string, std::unique_ptr<Binary>, std::unique_ptr<Negative>>;

struct Binary {
    char sign;
    Tree left, right;
};

struct Negative {
    Tree inner;
};

class Parser {
public:
    explicit Parser(std::string text) : text_(std::move(text)) {}

    Tree whole() {
        Tree tree = expression();
        if (skip() != '\0')
            throw std::runtime_error("more than a sum at " + std::to_string(at_));
        return tree;
    }

private:
    char skip() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])))
            ++at_;
        return at_ < text_.size() ? text_[at_] : '\0';
    }

    Tree expression() {
        Tree tree = term();
        for (char sign = skip(); sign == '+' || sign == '-'; sign = skip()) {
            ++at_;
            tree = std::make_unique<Binary>(Binary{sign, std::move(tree), term()});
        }
        return tree;
    }

    Tree term() {
        Tree tree = factor();
        for (char sign = skip(); sign == '*' || sign == '/'; sign = skip()) {
            ++at_;
            tree = std::make_unique<Binary>(Binary{sign, std::move(tree), factor()});
        }
        return tree;
    }

    Tree factor() {
        const char next = skip();
        if (next == '-') {
            ++at_;
            return std::make_unique<Negative>(Negative{factor()});
        }
        if (next == '(') {
            ++at_;
            Tree tree = expression();
            if (skip() != ')')
                throw std::runtime_error("a bracket stays open");
            ++at_;
            return tree;
        }
        const std::size_t start = at_;
        if (std::isalpha(static_cast<unsigned char>(next))) {
            while (at_ < text_.size() && std::isalnum(static_cast<unsigned char>(text_[at_])))
                ++at_;
            return text_.substr(start, at_ - start);
        }
        std::size_t used = 0;
        const double number = std::stod(text_.substr(at_), &used);
        at_ += used;
        return number;
    }

    std::string text_;
    std::size_t at_ = 0;
};

struct Evaluator {
    const std::map<std::string, double>& names;

    double operator()(double number) const { return number; }
    double operator()(const std::string& name) const { return names.at(name); }
    double operator()(const std::unique_ptr<Negative>& it) const { return -std::visit(*this, it->inner); }
    double operator()(const std::unique_ptr<Binary>& it) const {
        const double left = std::visit(*this, it->left), right = std::visit(*this, it->right);
        switch (it->sign) {
        case '+': return left + right;
        case '-': return left - right;
        case '*': return left * right;
        default:
            if (right == 0)
                throw std::domain_error("division by zero");
            return left / right;
        }
    }
};

int main() {
    const std::map<std::string, double> names{{"x", 3}};
    for (const char* text : {"1 + 2*x", "(1+2)*3 - -4", "2/0", "2 +"}) {
        try {
            std::cout << std::visit(Evaluator{names}, Parser(text).whole()) << '\n';
        } catch (const std::exception& cause) {
            std::cout << "error\n";
        }
    }
}
