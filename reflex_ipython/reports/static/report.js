const data = JSON.parse(document.getElementById('data').textContent);
const names = ['When', 'Notebook', 'Exception', 'Error', 'Provider', 'Rule', 'Model', 'Outcome', 'ID'];
const chosen = { Notebook: 1, Exception: 2, Provider: 4, Rule: 5, Model: 6, Outcome: 7 };
const STEP = 200;
let shown = STEP;

const form = document.getElementById('filters');
function field(name, input) {
  const label = document.createElement('label');
  label.append(name, input);
  input.addEventListener('input', () => { shown = STEP; draw(); });
  form.append(label);
  return input;
}
function text(type) {
  const input = document.createElement('input');
  input.type = type;
  return input;
}
const words = field('Text', text('search'));
const since = field('From', text('date'));
const until = field('To', text('date'));
const selects = Object.entries(chosen).map(([name, column]) => {
  const select = document.createElement('select');
  const values = [...new Set(data.rows.map(row => row[column]))].filter(Boolean).sort();
  for (const value of ['', ...values]) select.append(new Option(value || 'all', value));
  return [column, field(name, select)];
});
form.addEventListener('submit', event => event.preventDefault());

for (const name of names) {
  const cell = document.createElement('th');
  cell.scope = 'col';
  cell.textContent = name;
  document.getElementById('head').append(cell);
}

function meant(row) {
  const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
  const there = row.join(' ').toLowerCase();
  return wanted.every(word => there.includes(word))
    && (!since.value || row[0].slice(0, 10) >= since.value)
    && (!until.value || row[0].slice(0, 10) <= until.value)
    && selects.every(([column, select]) => !select.value || row[column] === select.value);
}

function when(at) {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? at : time.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

function details(id) {
  const place = document.createElement('td');
  place.colSpan = names.length;
  const text = document.createElement('pre');
  text.tabIndex = 0;
  let diff = false;
  for (const line of data.logs[id].split('\n')) {
    const shown = document.createElement('span');
    shown.textContent = `${line}\n`;
    if (/^#+ /.test(line) && !diff) shown.className = 'heading';
    if (/^`{3,}/.test(line)) diff = !diff && line.endsWith('diff');
    else if (diff && /^[+-]/.test(line)) shown.className = line[0] === '+' ? 'added' : 'removed';
    text.append(shown);
  }
  place.append(text);
  const row = document.createElement('tr');
  row.append(place);
  return row;
}

function opener(line, title, id) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'opens';
  button.textContent = title;
  button.setAttribute('aria-expanded', 'false');
  let open = null;
  button.addEventListener('click', () => {
    if (open) open.remove();
    open = open ? null : details(id);
    if (open) line.after(open);
    button.setAttribute('aria-expanded', String(open !== null));
  });
  return button;
}

function draw() {
  const rows = data.rows.filter(meant);
  const body = document.createDocumentFragment();
  for (const row of rows.slice(0, shown)) {
    const line = document.createElement('tr');
    row.forEach((value, column) => {
      const cell = document.createElement('td');
      if (column === 3 && data.logs[row[8]]) cell.append(opener(line, value, row[8]));
      else cell.textContent = column === 0 ? when(value) : column === 1 ? value.split(/[\\/]/).pop() : value;
      if (column === 1) cell.title = value;
      line.append(cell);
    });
    body.append(line);
  }
  document.getElementById('rows').replaceChildren(body);
  document.getElementById('count').textContent = data.rows.length ? `${rows.length} of ${data.rows.length} listed repairs` : '';
  document.getElementById('more').hidden = rows.length <= shown;
}
document.getElementById('more').addEventListener('click', () => { shown += STEP; draw(); });

const dark = matchMedia('(prefers-color-scheme: dark)');
async function drawCharts() {
  const options = { actions: false, renderer: 'svg', theme: dark.matches ? 'dark' : undefined, config: { background: 'transparent' } };
  if (typeof vegaEmbed === 'undefined') return;
  for (const [number, spec] of data.charts.entries()) await vegaEmbed(`#chart-${number}`, spec, options);
  document.documentElement.dataset.drawn = 'yes';
}
document.querySelector('section').hidden = !data.rows.length;
dark.addEventListener('change', drawCharts);
draw();
drawCharts();
