"""Schemes that users write, each with one timed round, sizes, and how many bytes or operations a round takes at least."""

MATRIX = """FOR (i FROM 0 TO M - 1) LOOP
    FOR (j FROM 0 TO N - 1) LOOP x[i, j] := 0.001 * ((7 * i + 3 * j) MOD 1009) - 0.4 END OF LOOP
  END OF LOOP"""
SHAPES = [(8192, 8192), (100, 1000), (64, 1000000), (1000000, 64), (2000000, 32), (20000, 500)]


def of_matrix(data, before, work, passes):
    """A scheme over a matrix x of M rows and N columns that goes through it so many times at least."""
    return {
        "data": f"M : INTEGER := 200\n  N : INTEGER := 300\n  x : REAL [M, N]\n  {data}",
        "before": MATRIX + before,
        "work": work,
        "sizes": [{"M": m, "N": n} for m, n in SHAPES],
        "bytes": lambda s: 4 * passes * s["M"] * s["N"],
    }


SCHEMES = {
    "softmax of rows": of_matrix(
        "y : REAL [M, N] OUTPUT",
        "",
        """FOR (i FROM 0 TO M - 1) LOOP
        LOCAL most : REAL := x[i, 0];
        FOR (j FROM 1 TO N - 1) LOOP most := max(most, x[i, j]) END OF LOOP;
        LOCAL sum : REAL := 0;
        FOR (j FROM 0 TO N - 1) LOOP sum := sum + exp(x[i, j] - most) END OF LOOP;
        FOR (j FROM 0 TO N - 1) LOOP y[i, j] := exp(x[i, j] - most) / sum END OF LOOP
      END OF LOOP""",
        2,
    ),
    "rows to mean 0 and deviation 1": of_matrix(
        "y : REAL [M, N] OUTPUT",
        "",
        """FOR (i FROM 0 TO M - 1) LOOP
        LOCAL mean : REAL := 0; LOCAL spread : REAL := 0;
        FOR (j FROM 0 TO N - 1) LOOP mean := mean + x[i, j] END OF LOOP;
        mean := mean / N;
        FOR (j FROM 0 TO N - 1) LOOP spread := spread + (x[i, j] - mean) ^ 2 END OF LOOP;
        spread := 1 / sqrt(spread / N + 0.00001);
        FOR (j FROM 0 TO N - 1) LOOP y[i, j] := (x[i, j] - mean) * spread END OF LOOP
      END OF LOOP""",
        2,
    ),
    "sums of columns": of_matrix(
        "c : REAL [N] OUTPUT",
        "",
        """FOR (j FROM 0 TO N - 1) LOOP
        c[j] := 0; FOR (i FROM 0 TO M - 1) LOOP c[j] := c[j] + x[i, j] END OF LOOP
      END OF LOOP""",
        1,
    ),
    "matrix by vector": of_matrix(
        "v : REAL [N]\n  c : REAL [M] OUTPUT",
        "; FOR (j FROM 0 TO N - 1) LOOP v[j] := 0.01 * (j MOD 17) END OF LOOP",
        """FOR (i FROM 0 TO M - 1) LOOP
        LOCAL s : REAL := 0; FOR (j FROM 0 TO N - 1) LOOP s := s + x[i, j] * v[j] END OF LOOP; c[i] := s
      END OF LOOP""",
        1,
    ),
    "place of the largest of rows": of_matrix(
        "w : INTEGER [M] OUTPUT",
        "",
        """FOR (i FROM 0 TO M - 1) LOOP
        LOCAL best : REAL := x[i, 0]; LOCAL place : INTEGER := 0;
        FOR (j FROM 1 TO N - 1) LOOP IF x[i, j] > best THEN best := x[i, j]; place := j END IF END OF LOOP;
        w[i] := place
      END OF LOOP""",
        1,
    ),
    "sums so far along rows": of_matrix(
        "y : REAL [M, N] OUTPUT",
        "",
        """FOR (i FROM 0 TO M - 1) LOOP
        LOCAL s : REAL := 0; FOR (j FROM 0 TO N - 1) LOOP s := s + x[i, j]; y[i, j] := s END OF LOOP
      END OF LOOP""",
        2,
    ),
    "transposition": of_matrix(
        "y : REAL [N, M] OUTPUT",
        "",
        "FOR (i FROM 0 TO M - 1) LOOP FOR (j FROM 0 TO N - 1) LOOP y[j, i] := x[i, j] END OF LOOP END OF LOOP",
        2,
    ),
    "convolution with 5 by 5": of_matrix(
        "y : REAL [M, N] OUTPUT\n  w : REAL [5, 5]",
        "; FOR (i FROM 0 TO 4) LOOP FOR (j FROM 0 TO 4) LOOP w[i, j] := 0.01 * (i + j) END OF LOOP END OF LOOP",
        """FOR (i FROM 2 TO M - 3) LOOP
        FOR (j FROM 2 TO N - 3) LOOP
          LOCAL s : REAL := 0;
          FOR (a FROM 0 TO 4) LOOP FOR (b FROM 0 TO 4) LOOP s := s + w[a, b] * x[i + a - 2, j + b - 2] END OF LOOP END OF LOOP;
          y[i, j] := s
        END OF LOOP
      END OF LOOP""",
        2,
    ),
    "Cholesky": {
        "data": "N : INTEGER := 50\n  a, l : REAL [N, N] OUTPUT",
        "before": """FOR (i FROM 0 TO N - 1) LOOP
    FOR (j FROM 0 TO N - 1) LOOP a[i, j] := 1.0 / (1 + abs(i - j)); l[i, j] := 0 END OF LOOP; a[i, i] := N
  END OF LOOP""",
        "work": """FOR (j FROM 0 TO N - 1) LOOP
        LOCAL s : REAL := a[j, j];
        FOR (k FROM 0 TO j - 1) LOOP s := s - l[j, k] * l[j, k] END OF LOOP;
        l[j, j] := sqrt(s);
        FOR (i FROM j + 1 TO N - 1) LOOP
          LOCAL t : REAL := a[i, j];
          FOR (k FROM 0 TO j - 1) LOOP t := t - l[i, k] * l[j, k] END OF LOOP;
          l[i, j] := t / l[j, j]
        END OF LOOP
      END OF LOOP""",
        "sizes": [{"N": 256}, {"N": 1024}, {"N": 4096}],
        "operations": lambda s: s["N"] ** 3 / 3,
    },
    "shortest paths": {
        "data": "N : INTEGER := 50\n  d : REAL [N, N] OUTPUT",
        "before": """FOR (i FROM 0 TO N - 1) LOOP
    FOR (j FROM 0 TO N - 1) LOOP d[i, j] := 1 + (i * 31 + j * 17) MOD 97 END OF LOOP; d[i, i] := 0
  END OF LOOP""",
        "work": """FOR (k FROM 0 TO N - 1) LOOP
        FOR (i FROM 0 TO N - 1) LOOP
          FOR (j FROM 0 TO N - 1) LOOP d[i, j] := min(d[i, j], d[i, k] + d[k, j]) END OF LOOP
        END OF LOOP
      END OF LOOP""",
        "sizes": [{"N": 256}, {"N": 1024}, {"N": 2048}],
        "operations": lambda s: 2 * s["N"] ** 3,
    },
    "longest common subsequence": {
        "data": "N : INTEGER := 100\n  a, b : INTEGER [N]\n  h : INTEGER [N + 1, N + 1] OUTPUT",
        "before": """FOR (i FROM 0 TO N - 1) LOOP a[i] := (i * 7) MOD 4; b[i] := (i * 5 + i / 3) MOD 4 END OF LOOP;
  FOR (i FROM 0 TO N) LOOP h[i, 0] := 0; h[0, i] := 0 END OF LOOP""",
        "work": """FOR (i FROM 1 TO N) LOOP
        FOR (j FROM 1 TO N) LOOP
          IF a[i - 1] = b[j - 1] THEN h[i, j] := h[i - 1, j - 1] + 1 ELSE h[i, j] := max(h[i - 1, j], h[i, j - 1]) END IF
        END OF LOOP
      END OF LOOP""",
        "sizes": [{"N": 4096}],
        "operations": lambda s: 2 * s["N"] ** 2,
    },
    "transform in place": {
        "data": "N : INTEGER := 64\n  x, y : REAL [N] OUTPUT\n  half : INTEGER",
        "before": "FOR (i FROM 0 TO N - 1) LOOP x[i] := 0.01 * (i MOD 1013); y[i] := 0 END OF LOOP",
        "work": """half := 1;
      WHILE half < N LOOP
        FOR (b FROM 0 TO N / (2 * half) - 1) LOOP
          FOR (k FROM 0 TO half - 1) LOOP
            LOCAL p : INTEGER := b * 2 * half + k; LOCAL o : INTEGER := p + half;
            LOCAL c : REAL := cos(-3.14159265 * k / half); LOCAL s : REAL := sin(-3.14159265 * k / half);
            LOCAL u : REAL := c * x[o] - s * y[o]; LOCAL v : REAL := c * y[o] + s * x[o];
            x[o] := x[p] - u; y[o] := y[p] - v; x[p] := x[p] + u; y[p] := y[p] + v
          END OF LOOP
        END OF LOOP;
        half := 2 * half
      END OF LOOP""",
        "sizes": [{"N": 4096}, {"N": 65536}, {"N": 1048576}, {"N": 16777216}],
        "bytes": lambda s: 16 * s["N"] * (s["N"].bit_length() - 1),
    },
    "sorting network": {
        "data": "N : INTEGER := 64\n  x : REAL [N] OUTPUT\n  size, gap : INTEGER",
        "before": "FOR (i FROM 0 TO N - 1) LOOP x[i] := (i * 37) MOD 1013 END OF LOOP",
        "work": """size := 2;
      WHILE size <= N LOOP
        gap := size / 2;
        WHILE gap > 0 LOOP
          FOR (i FROM 0 TO N - 1) LOOP
            LOCAL j : INTEGER := bit_xor(i, gap);
            IF j > i THEN
              IF bit_and(i, size) = 0 THEN
                IF x[i] > x[j] THEN LOCAL t : REAL := x[i]; x[i] := x[j]; x[j] := t END IF
              ELSE
                IF x[i] < x[j] THEN LOCAL t : REAL := x[i]; x[i] := x[j]; x[j] := t END IF
              END IF
            END IF
          END OF LOOP;
          gap := gap / 2
        END OF LOOP;
        size := 2 * size
      END OF LOOP""",
        "sizes": [{"N": 4096}, {"N": 65536}, {"N": 1048576}],
        "bytes": lambda s: 4 * s["N"] * (s["N"].bit_length() - 1) * s["N"].bit_length(),
    },
    "sieve": {
        "data": "N : INTEGER := 64\n  prime : INTEGER [N] OUTPUT",
        "before": "FOR (i FROM 0 TO N - 1) LOOP prime[i] := 1 END OF LOOP",
        "work": """FOR (i FROM 0 TO N - 1) LOOP prime[i] := 1 END OF LOOP;
      FOR (p FROM 2 TO 1000) LOOP
        IF p * p < N THEN
          IF prime[p] = 1 THEN FOR (q FROM p * p TO N - 1 STEP p) LOOP prime[q] := 0 END OF LOOP END IF
        END IF
      END OF LOOP""",
        "sizes": [{"N": 1000000}, {"N": 100000000}],
        "bytes": lambda s: 4 * s["N"],
    },
    "nearest of all": {
        "data": "N : INTEGER := 500\n  r : VECTOR [N]\n  w : INTEGER [N] OUTPUT",
        "before": """FOR (i FROM 0 TO N - 1) LOOP
    r[i] := vector(0.01 * ((i * 37) MOD 1013), 0.01 * ((i * 91) MOD 1019), 0.01 * ((i * 53) MOD 1021))
  END OF LOOP""",
        "work": """FOR (i FROM 0 TO N - 1) LOOP
        LOCAL least : REAL := 1000000; LOCAL place : INTEGER := -1;
        FOR (j FROM 0 TO N - 1) LOOP
          IF j <> i THEN
            LOCAL far : REAL := norm2(r[i] - r[j]);
            IF far < least THEN least := far; place := j END IF
          END IF
        END OF LOOP;
        w[i] := place
      END OF LOOP""",
        "sizes": [{"N": 2000}, {"N": 65536}],
        "operations": lambda s: 8 * s["N"] ** 2,
    },
}


def text(name):
    """The scheme of a name."""
    made = SCHEMES[name]
    return f"""SCHEME "{name}" ====
DATA
  {made["data"]}
  ROUNDS : INTEGER := 1
END OF DATA
  {made["before"]};
  TIMED (
    FOR (round FROM 1 TO ROUNDS) LOOP
      {made["work"]}
    END OF LOOP
  )
END OF SCHEME "{name}"
"""
