import { escapeControlCharacters } from '@burgee/kit/text'
import { expect, test } from 'vitest'

test.each([
  ['plain', 'plain'],
  ['two\nlines\tof Ünïcödé 👩‍🚀 and العربية', 'two\nlines\tof Ünïcödé 👩‍🚀 and العربية'],
  ['\u001b]0;owned\u0007', '\\u001b]0;owned\\u0007'],
  ['\u0000\r\u007f\u009b', '\\u0000\\u000d\\u007f\\u009b'],
  ['\u061c\u200e\u200f\u202a\u202e\u2066\u2069', '\\u061c\\u200e\\u200f\\u202a\\u202e\\u2066\\u2069'],
  ['\u2028\u2029', '\\u2028\\u2029']
])('%j is shown as %j', (text, shown) => expect(escapeControlCharacters(text)).toBe(shown))
