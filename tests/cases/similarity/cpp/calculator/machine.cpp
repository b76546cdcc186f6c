// Compiles a sum to instructions for a small stack machine, then runs them.
#include <cstdio>
#include <functional>
#include <optional>
#include <stack>
#include <string_view>
#include <unordered_map>
#include <vector>

enum class Op : unsigned char { Push, Add, Sub, Mul, Div, Neg };

struct Step {
    Op op;
    double number = 0;
};

struct Sign {
    Op op;
    int tightness;
};

const std::unordered_map<char, Sign> kSigns{
    {'+', {Op::Add, 10}}, {'-', {Op::Sub, 10}}, {'*', {Op::Mul, 20}}, {'/', {Op::Div, 20}}};

std::optional<std::vector<Step>> compile(std::string_view text) {
    std::vector<Step> code;
    std::stack<std::pair<char, Sign>> pending;
    bool operand = true;
    auto flush = [&](int tightness) {
        while (!pending.empty() && pending.top().first != '(' && pending.top().second.tightness >= tightness) {
            code.push_back({pending.top().second.op});
            pending.pop();
        }
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == ' ')
            continue;
        if (c >= '0' && c <= '9') {
            if (!operand)
                return std::nullopt;
            double number = 0;
            for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i)
                number = number * 10 + (text[i] - '0');
            --i;
            code.push_back({Op::Push, number});
            operand = false;
        } else if (c == '(' && operand) {
            pending.push({c, {Op::Push, 0}});
        } else if (c == ')' && !operand) {
            flush(0);
            if (pending.empty())
                return std::nullopt;
            pending.pop();
        } else if (c == '-' && operand) {
            pending.push({'n', {Op::Neg, 30}});
        } else if (auto found = kSigns.find(c); found != kSigns.end() && !operand) {
            flush(found->second.tightness);
            pending.push({c, found->second});
            operand = true;
        } else {
            return std::nullopt;
        }
    }
    flush(0);
    if (operand || !pending.empty())
        return std::nullopt;
    return code;
}

std::optional<double> execute(const std::vector<Step>& code) {
    std::vector<double> values;
    auto take = [&values] {
        double top = values.back();
        values.pop_back();
        return top;
    };
    for (const Step& step : code) {
        if (step.op == Op::Push) {
            values.push_back(step.number);
            continue;
        }
        const double right = take();
        if (step.op == Op::Neg)
            values.push_back(-right);
        else if (step.op == Op::Add)
            values.push_back(take() + right);
        else if (step.op == Op::Sub)
            values.push_back(take() - right);
        else if (step.op == Op::Mul)
            values.push_back(take() * right);
        else if (right == 0)
            return std::nullopt;
        else
            values.push_back(take() / right);
    }
    return values.back();
}

int main() {
    for (const char* text : {"1 + 2*3", "(1+2)*3 - -4", "2/0", "2 +"}) {
        const auto code = compile(text);
        const auto answer = code ? execute(*code) : std::nullopt;
        if (answer)
            std::printf("%g (%zu steps)\n", *answer, code->size());
        else
            std::puts("no answer");
    }
}
