/** An object without the members that are `undefined`, which a store would take for members to take away. */
export function omitUndefined<T extends object>(members: T): OmitUndefined<T> {
  // Nothing but the undefined members is left out.
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as OmitUndefined<T>
}

type OmitUndefined<T> = { [M in keyof T as undefined extends T[M] ? never : M]: T[M] } & {
  [M in keyof T as undefined extends T[M] ? M : never]?: Exclude<T[M], undefined>
}

/** Whether a value has members that can be asked for by name; a list has items. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * A function that answers with the same object when it is asked about the same objects again. It remembers one answer
 * for each first argument, as long as that is in memory; nobody may change what was handed in, or the answer.
 */
export function memoizeByIdentity<Key extends object, Others extends readonly unknown[], Answer>(
  make: (key: Key, ...others: Others) => Answer
): (key: Key, ...others: Others) => Answer {
  const answers = new WeakMap<Key, { readonly others: Others; readonly answer: Answer }>()
  return (key, ...others) => {
    const known = answers.get(key)
    if (known && hasSameItems(known.others, others)) return known.answer
    const answer = make(key, ...others)
    answers.set(key, { others, answer })
    return answer
  }
}

/** Whether two lists hold the same items, each by identity. */
export function hasSameItems(before: readonly unknown[], after: readonly unknown[]): boolean {
  return before.length === after.length && before.every((item, index) => item === after[index])
}
