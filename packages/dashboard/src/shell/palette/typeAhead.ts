type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing'>

/** Returns the text of the palette after a key that is pressed before its field exists; undefined for a key of the page. */
export function typeAhead(text: string, { key, ctrlKey, metaKey, altKey, isComposing }: Press): string | undefined {
  if (ctrlKey || metaKey || altKey || isComposing) return undefined
  if (key === 'Enter') return text
  const characters = [...text]
  if (key === 'Backspace') return characters.slice(0, -1).join('')
  return [...key].length === 1 ? text + key : undefined
}
