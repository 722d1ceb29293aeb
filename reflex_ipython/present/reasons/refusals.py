"""Messages with which functions refuse a value, an argument or a shape, in other words."""

from __future__ import annotations

from reflex_ipython.present.reasons.pattern import MessagePattern

_T, _V = "TypeError", "ValueError"

REFUSALS = (
    # ---- Python
    MessagePattern(_T, r"(sort|sorted)(?:\(\))? (?:takes no positional arguments|expected 1 argument)", "`{0}` takes what it orders by under its name: `key=…`, `reverse=…`."),
    MessagePattern(_T, r"(<lambda>\(\)) missing (\d+) required positional arguments?: (.+)", "A `lambda` was called without {2}: what calls it gives it fewer values than it has parameters.", "give it one parameter, and ask that for its parts: `lambda pair: pair[1]`"),
    MessagePattern(_T, r"<lambda>\(\) takes (\d+) positional arguments? but (\d+) (?:was|were) given", "A `lambda` with {0} parameters was called with {1} values."),
    MessagePattern(_T, r"(\w+)\(\) takes at most (\d+) positional arguments? \((\d+) given\)", "`{0}` takes at most {1} arguments by their place, and was given {2}."),
    MessagePattern(_T, r"missing a required argument: '(\w+)'", "The call does not give `{0}`, which is needed; perhaps it is there under another name."),
    MessagePattern(_T, r"non-default argument '(\w+)' follows default argument", "The field `{0}` has no default, and stands after one that has: those without come first."),
    MessagePattern(_V, r"mutable default <class '(\w+)'> for field (\w+) is not allowed", "All objects would share the {0} that is the default of `{1}`; `field(default_factory={0})` makes one for each."),
    MessagePattern(_T, r"Population must be a sequence", "`random.sample` takes lists and other sequences; a set or dict has no positions: `sorted(…)` makes a list of it."),
    MessagePattern(_T, r"format requires a mapping", "The text has places with names, `%(name)s`; they take a dict, and something else was given."),
    MessagePattern(_T, r"(startswith|endswith) first arg must be str or a tuple of str, not (\w+)", "`{0}` takes one text or a tuple of texts; this is a `{1}`: `tuple(…)` converts it."),
    MessagePattern(_V, r"^(.+) is not in (list|tuple|deque|range)$", "{0} is none of the items of the {1}, so it has no position in it."),
    # ---- pandas
    MessagePattern(_T, r"(?:Index must be DatetimeIndex|Only valid with DatetimeIndex.*?but got an instance of '(?:\w+)')", "This goes by times in the index, and the index holds none. `set_index` with a column of dates makes them the index; `resample` also takes `on=`."),
    MessagePattern(_V, r"time data \"?(.+?)\"? doesn't match format \"(.+?)\"", "The text {0} is not written as `{1}` says; that was given as the format, or found from the first value."),
    MessagePattern(_V, r"^Invalid frequency: (\w+)\b.*(?:Please use '|Did you mean )(\w+)", "pandas calls the frequency `{0}` `{1}` now."),
    MessagePattern(_V, r"^Invalid frequency: (\w+)", "pandas has no frequency `{0}`: `D` is a day, `W` a week, `MS` and `ME` the start and the end of a month, `h` an hour."),
    MessagePattern(_T, r"Addition/subtraction of integers and integer-arrays with (\w+) is no longer supported", "A plain number can't be added to dates or taken from them: it does not say of what it counts.", "say the unit: `pd.Timedelta(days=…)`"),
    MessagePattern(_T, r"only list-like objects are allowed to be passed to isin\(\), you passed a `?'?(\w+)", "`isin` looks into a list of values and was given one `{0}`: square brackets around it make a list."),
    MessagePattern(_V, r"Location based indexing can only have", "`iloc` goes by positions, whole numbers from 0; names of rows and columns are for `loc`."),
    MessagePattern(_T, r"Invalid value '(.+)' for dtype '(\w+)'", "The column holds {1} values, and '{0}' is none. `astype` gives the column another type first."),
    MessagePattern(_V, r"^Index (\w+) invalid", "The file has no column `{0}` that could be the index."),
    MessagePattern(_V, r"orient '(\w*)' not understood", "`orient` can't be '{0}'. It can be 'dict', 'list', 'series', 'split', 'tight', 'records' or 'index'."),
    MessagePattern(_V, r"Cannot subset columns with a tuple", "Several columns are asked for by a list: `[[\"a\", \"b\"]]`, with two pairs of square brackets."),
    MessagePattern(_T, r"Cannot setitem on a Categorical with a new category \((.+?)\)", "The column has fixed categories, and '{0}' is none of them: `.cat.add_categories` adds it."),
    MessagePattern(_T, r"data type ['\"](.+?)['\"] not understood", "There is no type called '{0}'; 'int64', 'float64', 'str', 'bool', 'category', 'datetime64[ns]' are some."),
    MessagePattern(_V, r"'(.+)' is not a valid Merge type: (.+)", "Tables can't be joined '{0}'. The ways are: {1}."),
    MessagePattern(_V, r"^(\w+) must be (?:either|one of) (.+)$", "`{0}` takes {1}, and was given something else."),
    # ---- numpy
    MessagePattern(_V, r"could not broadcast input array from shape (\(.*?\)) into shape (\(.*?\))", "Values of shape {0} do not fit into a place of shape {1}."),
    MessagePattern(_V, r"could not convert string '(.*)' to (\w+) at row (\d+), column (\d+)", "In row {2}, column {3} of the file stands '{0}', which is no {1}: a heading, another delimiter or a missing value.", "`delimiter=`, `skiprows=1`, or `np.genfromtxt`"),
    MessagePattern(_V, r"shape mismatch: objects cannot be broadcast to a single shape\. +Mismatch is between (.+?) with shape (\(.*?\)) and (.+?) with shape (\(.*?\))", "{0} and {2} need as many values as each other; they have the shapes {1} and {3}."),
    # ---- scikit-learn
    MessagePattern(_V, r"Number of labels=(\d+) does not match number of samples=(\d+)", "There are {1} samples and {0} labels: each sample needs one label, of the same rows."),
    MessagePattern(_V, r"Expected a 2-dimensional container but got <class '([\w.]+)'>", "scikit-learn takes a table with a row for each sample, and this `{0}` has one dimension: `df[[\"a\"]]` is a table."),
    MessagePattern(_V, r"number of splits n_splits=(\d+) greater than the number of samples: n_samples=(\d+)", "{1} samples can't be split into {0} parts: there can be as many parts as samples at most."),
    MessagePattern(_V, r"The least populated class(?:es)? in y ha(?:s|ve) only (\d+) member", "One class has {0} sample alone, so it can't be in both parts of a split by classes (`stratify=`)."),
    MessagePattern(_V, r"n_components=(\d+) must be between 0 and min\(n_samples, n_features\)=(\d+)", "There can be {1} components at most, as many as features or samples; {0} were asked for."),
    MessagePattern(_V, r"needs samples of at least 2 classes in the data, but the data contains only one class: (.+)", "All samples are of one class, {0}: there is nothing to tell apart."),
    MessagePattern(_V, r"Iterable over raw text documents expected, string object received", "A list of texts is needed, and one text was given: square brackets around it make a list of one."),
    # ---- matplotlib
    MessagePattern(_V, r"'c' argument must be a color, a sequence of colors, or a sequence of numbers, not '?(.+?)'?$", "`c` was given {0}, which is no colour that matplotlib knows, and no sequence of numbers."),
    MessagePattern(_V, r"^Invalid color (.+)$", "There is no colour `{0}`."),
    MessagePattern(_V, r"either both or neither of x and y should be given", "`bar`-like plots of tables take `x` and `y` together, or none of them."),
    MessagePattern(_V, r"number of FixedLocator locations \((\d+)\).* number of labels \((\d+)\)", "There are {0} ticks and {1} labels: each tick needs a label."),
    MessagePattern(_T, r"Image data of dtype (\S+) cannot be converted to float", "`imshow` needs numbers, and the values are of type {0}: `np.asarray(…, dtype=float)` converts texts that are numbers."),
)  # fmt: skip
"""They come last: where nothing else is known of a message."""
