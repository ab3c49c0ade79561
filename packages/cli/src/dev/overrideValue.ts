/** The value of a variable, as users type it: JSON, or text. */
export function parseOverrideValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Parses `key=value`. Undefined without a key. */
export function parseOverride(text: string): readonly [key: string, value: unknown] | undefined {
  const [, key, value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  return key === undefined ? undefined : [key, parseOverrideValue(value)]
}
