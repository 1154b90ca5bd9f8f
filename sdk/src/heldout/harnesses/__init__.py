"""The benchmarks of a service inside other people's harnesses. Each module needs the extra of its name."""
