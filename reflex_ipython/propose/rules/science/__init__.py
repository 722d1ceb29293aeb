"""What goes wrong with numpy, pandas, scikit-learn and matplotlib, told by messages and types: mostly candidates."""
