/**
 * Checks of what comes from outside: a file that anybody may have written. Each gives back a fresh value that has what
 * it should have and nothing else, or says what is wrong and where.
 */

export class Wrong extends Error {}

/** `where`: the way to the value, `fixes[0].edits`. */
export type Check<T> = (value: unknown, where: string) => T;

/** Longer ones no panel has, and no page should try to draw. */
const LONGEST = { words: 100_000, source: 2_000_000, list: 100_000 };

function kind<T>(is: (value: unknown) => boolean, name: string): Check<T> {
  return (value, where) => {
    if (!is(value)) {
      throw new Wrong(`${where} is ${value === undefined ? 'missing' : `not ${name}`}`);
    }
    return value as T;
  };
}

const textOf = (longest: number) =>
  kind<string>(value => typeof value === 'string' && value.length <= longest, 'a text of a sensible length');

export const words = textOf(LONGEST.words);
export const source = textOf(LONGEST.source);
export const flag = kind<boolean>(value => typeof value === 'boolean', 'true or false');
export const count = kind<number>(Number.isSafeInteger, 'a whole number');

export function oneOf<T extends string>(...choices: T[]): Check<T> {
  return kind<T>(value => choices.includes(value as T), `one of ${choices.join(', ')}`);
}

export function orNull<T>(check: Check<T>): Check<T | null> {
  return (value, where) => (value === null ? null : check(value, where));
}

/** What saved panels leave out, or an older version did not have. */
export function orDefault<T>(check: Check<T>, missing: T): Check<T> {
  return (value, where) => (value === undefined ? missing : check(value, where));
}

export function listOf<T>(check: Check<T>): Check<T[]> {
  const list = kind<unknown[]>(
    value => Array.isArray(value) && value.length <= LONGEST.list,
    'a list of a sensible length'
  );
  return (value, where) => list(value, where).map((element, index) => check(element, `${where}[${index}]`));
}

/** An object with these fields of its own. Its type makes the compiler hold them together with the interface. */
export function objectOf<T>(fields: { [K in keyof T]: Check<T[K]> }): Check<T> {
  const object = kind<object>(
    value => typeof value === 'object' && value !== null && !Array.isArray(value),
    'an object'
  );
  return (value, where) => {
    const given = new Map(Object.entries(object(value, where || 'it')));
    const checked = Object.keys(fields).map(name => {
      const check = fields[name as keyof T];
      return [name, check(given.get(name), where ? `${where}.${name}` : name)];
    });
    return Object.fromEntries(checked) as T;
  };
}
