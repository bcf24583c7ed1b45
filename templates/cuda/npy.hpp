// Arrays in .npy files, the format of NumPy, by means of the C++17 standard library alone.
//
// Errors are exceptions of type files::Error, whose what() names the file.

#ifndef NPY_HPP
#define NPY_HPP

#include "files.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace npy {

using files::Error;

// A truth value takes a byte; std::vector<bool> would pack eight of them into one.
using truth = unsigned char;

// An array as a file held it, its values in C order (the last axis runs fastest). Integers of all
// widths are held in 64 bits.
struct Array {
    std::string file;
    std::vector<std::size_t> shape;  // empty for a scalar
    std::variant<std::vector<truth>, std::vector<std::int64_t>, std::vector<float>,
                 std::vector<double>>
        values;
};

namespace detail {

// The most bytes of a header that are read, and the most axes of an array, which are NumPy's.
constexpr std::size_t MOST_HEADER = 65535, MOST_AXES = 64;

// The header of a file: a Python dictionary of three entries, each of them once.
class Header {
public:
    std::string descr;
    bool fortran = false;
    std::vector<std::size_t> shape;

    // False where the text is not the header of a plain array.
    bool parse(const std::string &text) {
        rest_ = text;
        bool has_descr = false, has_order = false, has_shape = false, more = true;
        for (const char c : text) {
            if (static_cast<unsigned char>(c) > 127) return false;
        }
        blanks();
        if (!eat("{")) return false;
        while (!eat("}")) {
            std::string key;
            if (!more || !string(key) || !eat(":")) return false;
            if (key == "descr" && !has_descr) {
                has_descr = string(descr);
                if (!has_descr) return false;
            } else if (key == "shape" && !has_shape) {
                has_shape = tuple();
                if (!has_shape) return false;
            } else if (key == "fortran_order" && !has_order) {
                fortran = eat("True");
                if (!fortran && !eat("False")) return false;
                has_order = true;
            } else {
                return false;
            }
            more = eat(",");
        }
        return has_descr && has_order && has_shape && place_ == rest_.size();
    }

    // The bytes of a value; none for a type that is not read, and for values of several bytes in an
    // order that is not told.
    std::optional<std::size_t> width() const {
        if (descr.size() != 3) return std::nullopt;
        const std::string kind = descr.substr(1);
        const char order = descr[0];
        const bool known = kind == "b1" || kind == "i1" || kind == "u1" || kind == "i2" ||
                           kind == "u2" || kind == "i4" || kind == "u4" || kind == "i8" ||
                           kind == "u8" || kind == "f4" || kind == "f8";
        const bool ordered = order == '<' || order == '>' || (order == '|' && kind[1] == '1');
        if (!known || !ordered) return std::nullopt;
        return static_cast<std::size_t>(kind[1] - '0');
    }

private:
    std::string rest_;
    std::size_t place_ = 0;

    bool at(char c) const { return place_ < rest_.size() && rest_[place_] == c; }

    void blanks() {
        while (at(' ') || at('\n') || at('\t') || at('\r')) ++place_;
    }

    // Takes a token, and the blanks after it, off the text.
    bool eat(const char *token) {
        const std::size_t length = std::strlen(token);
        if (rest_.compare(place_, length, token) != 0) return false;
        place_ += length;
        blanks();
        return true;
    }

    // Takes a string in quotes of either kind, without escapes, off the text.
    bool string(std::string &inside) {
        if (!at('\'') && !at('"')) return false;
        const std::size_t end = rest_.find(rest_[place_], place_ + 1);
        if (end == std::string::npos) return false;
        inside = rest_.substr(place_ + 1, end - place_ - 1);
        for (const char c : inside) {
            if (c == '\\' || c < ' ' || c == 127) return false;
        }
        place_ = end + 1;
        blanks();
        return true;
    }

    // Takes a tuple of lengths off the text; one of one length has a comma after it.
    bool tuple() {
        if (!eat("(")) return false;
        shape.clear();
        bool more = true;
        while (!eat(")")) {
            std::size_t length = 0;
            const std::size_t start = place_;
            for (; place_ < rest_.size() && rest_[place_] >= '0' && rest_[place_] <= '9'; ++place_) {
                const std::size_t digit = static_cast<std::size_t>(rest_[place_] - '0');
                if (length > (std::numeric_limits<std::size_t>::max() - digit) / 10) return false;
                length = 10 * length + digit;
            }
            const bool odd = place_ == start || (place_ > start + 1 && rest_[start] == '0');
            if (odd || !more || shape.size() == MOST_AXES) return false;
            shape.push_back(length);
            blanks();
            more = eat(",");
        }
        return shape.size() != 1 || more;
    }
};

// a * b, none where it overflows.
inline std::optional<std::size_t> product(std::size_t a, std::size_t b) {
    if (b != 0 && a > std::numeric_limits<std::size_t>::max() / b) return std::nullopt;
    return a * b;
}

inline std::optional<std::size_t> product(const std::vector<std::size_t> &shape) {
    std::optional<std::size_t> n = 1;
    for (const std::size_t length : shape) {
        if (n) n = product(*n, length);
    }
    return n;
}

// The number of values of a shape, of so many bytes each. None where their bytes, or those of the
// axes that are not empty, are more than memory has addresses.
inline std::optional<std::size_t> count_of(const std::vector<std::size_t> &shape, std::size_t width) {
    std::optional<std::size_t> bytes = width;
    bool empty = false;
    for (const std::size_t length : shape) {
        empty = empty || length == 0;
        if (bytes && length != 0) bytes = product(*bytes, length);
    }
    if (!bytes || *bytes > static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max())) {
        return std::nullopt;
    }
    return empty ? 0 : *bytes / width;
}

// The unsigned integer whose bytes these are, in an order that does not depend on the machine.
template <class Bits>
Bits join(const unsigned char *bytes, bool big) {
    Bits bits = 0;
    for (std::size_t i = 0; i < sizeof(Bits); ++i) {
        const std::size_t shift = 8 * (big ? sizeof(Bits) - 1 - i : i);
        bits = static_cast<Bits>(bits | static_cast<Bits>(static_cast<Bits>(bytes[i]) << shift));
    }
    return bits;
}

// Values held in the file as Held, the bits of which are those of Bits, converted to T.
template <class T, class Held, class Bits>
std::vector<T> decode(const std::vector<unsigned char> &data, bool big) {
    static_assert(sizeof(Held) == sizeof(Bits), "a value has as many bits as its bytes");
    std::vector<T> values(data.size() / sizeof(Bits));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Bits bits = join<Bits>(data.data() + i * sizeof(Bits), big);
        Held held;
        std::memcpy(&held, &bits, sizeof held);
        values[i] = static_cast<T>(held);
    }
    return values;
}

// Walks the subscripts in C order and keeps their place in Fortran order along.
template <class T>
std::vector<T> to_c_order(const std::vector<T> &values, const std::vector<std::size_t> &shape) {
    std::vector<std::size_t> strides, subscripts(shape.size(), 0);
    std::size_t stride = 1, place = 0;
    for (const std::size_t length : shape) {
        strides.push_back(stride);
        stride *= length;
    }
    std::vector<T> ordered;
    ordered.reserve(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        ordered.push_back(values[place]);
        for (std::size_t axis = shape.size(); axis-- > 0;) {
            ++subscripts[axis];
            place += strides[axis];
            if (subscripts[axis] < shape[axis]) break;
            place -= strides[axis] * shape[axis];
            subscripts[axis] = 0;
        }
    }
    return ordered;
}

inline void read_bytes(std::ifstream &stream, void *to, std::size_t count, const std::string &file) {
    stream.read(static_cast<char *>(to), static_cast<std::streamsize>(count));
    if (static_cast<std::size_t>(stream.gcount()) != count) {
        throw Error(file + ": it is not a .npy file, or breaks off");
    }
}

inline std::string in_words(const std::vector<std::size_t> &shape) {
    std::string words = "[";
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        words += (axis == 0 ? "" : ", ") + std::to_string(shape[axis]);
    }
    return words + "]";
}

template <class>
inline constexpr bool no_such_type = false;

template <class T>
constexpr const char *name() {
    if constexpr (std::is_same_v<T, truth>) return "bool";
    else if constexpr (std::is_same_v<T, std::int32_t>) return "int32";
    else if constexpr (std::is_same_v<T, std::int64_t>) return "int64";
    else if constexpr (std::is_same_v<T, float>) return "float32";
    else if constexpr (std::is_same_v<T, double>) return "float64";
    else static_assert(no_such_type<T>, "arrays hold truth values, int32, int64, float or double");
}

template <class T>
constexpr const char *descr() {
    if constexpr (std::is_same_v<T, truth>) return "|b1";
    else if constexpr (std::is_same_v<T, std::int32_t>) return "<i4";
    else if constexpr (std::is_same_v<T, std::int64_t>) return "<i8";
    else if constexpr (std::is_same_v<T, float>) return "<f4";
    else if constexpr (std::is_same_v<T, double>) return "<f8";
    else static_assert(no_such_type<T>, "arrays hold truth values, int32, int64, float or double");
}

// Whether an integer is a value of T.
template <class T>
bool representable(std::int64_t x) {
    if constexpr (std::is_floating_point_v<T>) {
        // 2^63 is what the largest integers round to; it would not convert back.
        const T y = static_cast<T>(x);
        return y < static_cast<T>(9223372036854775808.0) && static_cast<std::int64_t>(y) == x;
    } else {
        return x >= std::numeric_limits<T>::min() && x <= std::numeric_limits<T>::max();
    }
}

}  // namespace detail

// Reads a file of bool, int8 to int64, uint8 to uint64, float32 or float64. Fortran order and
// big-endian values are converted; anything else is an error.
inline Array read(const std::string &file) {
    using namespace detail;
    std::error_code failed;
    const std::filesystem::file_status about = std::filesystem::status(file, failed);
    if (about.type() == std::filesystem::file_type::not_found) {
        throw Error("cannot read " + file + ": there is no such file");
    }
    if (failed) throw Error("cannot read " + file + ": " + failed.message());
    // To open a pipe could take for ever, and a device has no end.
    if (!std::filesystem::is_regular_file(about)) {
        throw Error(file + ": it is a folder, a pipe or a device, not a file");
    }
    const std::uintmax_t size = std::filesystem::file_size(file, failed);
    if (failed) throw Error("cannot read " + file + ": " + failed.message());
    std::ifstream stream(file, std::ios::binary);
    if (!stream) throw Error("cannot read " + file);

    unsigned char start[12] = {};
    read_bytes(stream, start, 8, file);
    if (std::memcmp(start, "\x93NUMPY", 6) != 0) {
        throw Error(file + ": it is not a .npy file, or breaks off");
    }
    if (start[6] < 1 || start[6] > 3 || start[7] != 0) {
        throw Error(file + ": it is of version " + std::to_string(start[6]) + "." +
                    std::to_string(start[7]) + " of the format, which is not read");
    }
    const std::size_t of_length = start[6] == 1 ? 2 : 4, before = 8 + of_length;
    read_bytes(stream, start + 8, of_length, file);
    const std::size_t length = join<std::uint32_t>(start + 8, false);
    // Nothing is allocated that the file cannot fill.
    if (length > size - before) throw Error(file + ": it is not a .npy file, or breaks off");
    if (length > MOST_HEADER) throw Error(file + ": its header is longer than 65535 bytes");
    std::string text(length, ' ');
    read_bytes(stream, &text[0], length, file);

    Header header;
    if (!header.parse(text)) throw Error(file + ": its header is not that of a plain array");
    const std::optional<std::size_t> width = header.width();
    if (!width) {
        throw Error(file + ": it holds values of type '" + header.descr + "', which are not read");
    }
    const std::string kind = header.descr.substr(1);
    const std::optional<std::size_t> count = count_of(header.shape, *width);
    const std::uintmax_t held = size - before - length;
    if (!count || *count * *width != held) {
        throw Error(file + ": its shape is " + in_words(header.shape) + ", but it holds " +
                    std::to_string(held) + " bytes");
    }
    const auto no_room = [&] {
        return Error(file + ": its " + std::to_string(*count) + " values do not fit in memory");
    };
    std::vector<unsigned char> data;
    try {
        data.resize(*count * *width);
    } catch (const std::bad_alloc &) {
        throw no_room();
    } catch (const std::length_error &) {
        throw no_room();
    }
    read_bytes(stream, data.data(), data.size(), file);

    const bool big = header.descr[0] == '>';
    Array array{file, header.shape, {}};
    if (kind == "b1") {
        for (const unsigned char value : data) {
            if (value > 1) {
                throw Error(file + ": the byte " + std::to_string(value) + " is not a truth value");
            }
        }
        array.values = std::move(data);
    } else if (kind == "f4") {
        array.values = decode<float, float, std::uint32_t>(data, big);
    } else if (kind == "f8") {
        array.values = decode<double, double, std::uint64_t>(data, big);
    } else if (kind == "i1") {
        array.values = decode<std::int64_t, std::int8_t, std::uint8_t>(data, big);
    } else if (kind == "i2") {
        array.values = decode<std::int64_t, std::int16_t, std::uint16_t>(data, big);
    } else if (kind == "i4") {
        array.values = decode<std::int64_t, std::int32_t, std::uint32_t>(data, big);
    } else if (kind == "u1") {
        array.values = decode<std::int64_t, std::uint8_t, std::uint8_t>(data, big);
    } else if (kind == "u2") {
        array.values = decode<std::int64_t, std::uint16_t, std::uint16_t>(data, big);
    } else if (kind == "u4") {
        array.values = decode<std::int64_t, std::uint32_t, std::uint32_t>(data, big);
    } else {
        std::vector<std::int64_t> values =
            decode<std::int64_t, std::int64_t, std::uint64_t>(data, big);
        for (const std::int64_t value : values) {
            // As unsigned, a negative number is one that int64 does not have.
            if (kind == "u8" && value < 0) {
                throw Error(file + ": " + std::to_string(static_cast<std::uint64_t>(value)) +
                            " is out of range of int64");
            }
        }
        array.values = std::move(values);
    }
    if (header.fortran && header.shape.size() > 1) {
        std::visit([&](auto &values) { values = to_c_order(values, header.shape); }, array.values);
    }
    return array;
}

// The values of an array as truth, std::int32_t, std::int64_t, float or double: float widths
// convert, integers if T has them; anything else is an error.
template <class T>
std::vector<T> values(Array array) {
    using namespace detail;
    const auto wrong = [&](const char *found) {
        return Error(array.file + ": it holds " + found + ", wanted is " + name<T>());
    };
    if (std::holds_alternative<std::vector<truth>>(array.values)) {
        if constexpr (std::is_same_v<T, truth>) {
            return std::get<std::vector<truth>>(std::move(array.values));
        }
        throw wrong("truth values");
    }
    if constexpr (std::is_same_v<T, truth>) {
        throw wrong("numbers");
    } else {
        std::vector<T> converted;
        if (auto *integers = std::get_if<std::vector<std::int64_t>>(&array.values)) {
            converted.reserve(integers->size());
            for (const std::int64_t x : *integers) {
                if (!representable<T>(x)) {
                    throw Error(array.file + ": " + std::to_string(x) + " is out of range of " +
                                name<T>());
                }
                converted.push_back(static_cast<T>(x));
            }
        } else if constexpr (!std::is_floating_point_v<T>) {
            throw wrong("floats");
        } else if (auto *narrow = std::get_if<std::vector<float>>(&array.values)) {
            converted.assign(narrow->begin(), narrow->end());
        } else {
            for (const double x : std::get<std::vector<double>>(array.values)) {
                converted.push_back(static_cast<T>(x));
            }
        }
        return converted;
    }
}

// Writes values in C order, T being truth, std::int32_t, std::int64_t, float or double. There are
// as many as the product of the shape.
template <class T>
void write(const std::string &file, const std::vector<std::size_t> &shape, const T *values) {
    using namespace detail;
    const std::optional<std::size_t> count = product(shape);
    if (!count) throw Error(file + ": the shape " + in_words(shape) + " is too large");
    std::string lengths;
    for (const std::size_t length : shape) {
        lengths += (lengths.empty() ? "" : ", ") + std::to_string(length);
    }
    if (shape.size() == 1) lengths += ",";
    std::string header = std::string("{'descr': '") + descr<T>() +
                         "', 'fortran_order': False, 'shape': (" + lengths + "), }";
    // The data begins at a multiple of 64 bytes; the line feed counts.
    header.append(63 - (10 + header.size()) % 64, ' ');
    header += '\n';
    if (header.size() > MOST_HEADER || shape.size() > MOST_AXES) throw Error(file + ": the shape has too many axes");

    files::replace_file(file, [&](std::ostream &stream) {
        using Bits = std::conditional_t<
            sizeof(T) == 8, std::uint64_t,
            std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint8_t>>;
        stream.write("\x93NUMPY\x01\x00", 8);
        stream.put(static_cast<char>(header.size() & 255));
        stream.put(static_cast<char>(header.size() >> 8));
        stream.write(header.data(), static_cast<std::streamsize>(header.size()));
        for (std::size_t i = 0; i < *count; ++i) {
            Bits bits;
            std::memcpy(&bits, values + i, sizeof bits);
            char bytes[sizeof(Bits)];
            for (std::size_t b = 0; b < sizeof(Bits); ++b) {
                bytes[b] = static_cast<char>((bits >> (8 * b)) & 255);
            }
            stream.write(bytes, sizeof bytes);
        }
    });
}

}  // namespace npy

#endif
