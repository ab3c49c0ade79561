import { expect, test } from 'vitest'
import { typeAhead } from '../../../src/shell/palette/typeAhead.ts'

const press = (key: string, modifiers: object = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isComposing: false,
  ...modifiers
})

test('characters are text of the palette, also spaces and what is no ASCII', () => {
  expect(['g', ' ', 'é', '?', '/'].reduce((text, key) => typeAhead(text, press(key)) ?? text, '')).toBe('g é?/')
})

test('Backspace removes the last character', () => {
  expect(typeAhead('a😀', press('Backspace'))).toBe('a')
  expect(typeAhead('', press('Backspace'))).toBe('')
})

test('Enter opens nothing yet, and no button of the page', () => {
  expect(typeAhead('gift', press('Enter'))).toBe('gift')
})

test.each([
  press('Tab'),
  press('Shift'),
  press('F6'),
  press('ArrowDown'),
  press('s', { ctrlKey: true }),
  press('s', { metaKey: true }),
  press('k', { altKey: true }),
  press('a', { isComposing: true })
])('$key with modifiers remains a key of the page', (event) => {
  expect(typeAhead('gift', event)).toBeUndefined()
})
