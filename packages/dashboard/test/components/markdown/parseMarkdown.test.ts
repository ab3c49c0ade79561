import { describe, expect, test } from 'vitest'
import { parseMarkdown } from '../../../src/components/markdown/parseMarkdown.ts'

describe('parseMarkdown', () => {
  test('joins the lines of a paragraph', () => {
    expect(parseMarkdown('one\ntwo\n\nthree')).toEqual([
      { type: 'paragraph', content: [{ type: 'text', text: 'one two' }] },
      { type: 'paragraph', content: [{ type: 'text', text: 'three' }] }
    ])
  })

  test('reads lists, with lines that continue an item', () => {
    expect(parseMarkdown('- a\n  b\n- c\n\n1. d')).toEqual([
      { type: 'list', isOrdered: false, items: [[{ type: 'text', text: 'a b' }], [{ type: 'text', text: 'c' }]] },
      { type: 'list', isOrdered: true, items: [[{ type: 'text', text: 'd' }]] }
    ])
  })

  test('keeps the text of a block of code, closed or not', () => {
    expect(parseMarkdown('```js\n- a\n\n```\nb')).toEqual([
      { type: 'code', text: '- a\n' },
      { type: 'paragraph', content: [{ type: 'text', text: 'b' }] }
    ])
    expect(parseMarkdown('```\na')).toEqual([{ type: 'code', text: 'a' }])
  })

  test('reads links to the web and to mail only', () => {
    const [block] = parseMarkdown('[a](https://a.example) [b](javascript:alert) see https://c.example.')
    expect(block).toMatchObject({
      content: [
        { type: 'link', text: 'a', url: 'https://a.example' },
        { type: 'text', text: ' ' },
        { type: 'text', text: '[b](javascript:alert)' },
        { type: 'text', text: ' see ' },
        { type: 'link', text: 'https://c.example', url: 'https://c.example' },
        { type: 'text', text: '.' }
      ]
    })
  })

  test('leaves markup as text', () => {
    expect(parseMarkdown('<img src=x onerror=alert(1)>')).toEqual([
      { type: 'paragraph', content: [{ type: 'text', text: '<img src=x onerror=alert(1)>' }] }
    ])
  })
})
