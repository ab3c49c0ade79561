/**
 * A function that answers with the same object when it is asked about the same objects again. It remembers one answer
 * for each first argument, as long as that is in memory; nobody may change what was handed in, or the answer.
 */
export function remembering<Key extends object, Others extends readonly unknown[], Answer>(
  make: (key: Key, ...others: Others) => Answer
): (key: Key, ...others: Others) => Answer {
  const answers = new WeakMap<Key, { readonly others: Others; readonly answer: Answer }>()
  return (key, ...others) => {
    const known = answers.get(key)
    if (known && holdsSame(known.others, others)) return known.answer
    const answer = make(key, ...others)
    answers.set(key, { others, answer })
    return answer
  }
}

/** Whether two lists hold the same items, each by identity. */
export function holdsSame(before: readonly unknown[], after: readonly unknown[]): boolean {
  return before.length === after.length && before.every((item, index) => item === after[index])
}
