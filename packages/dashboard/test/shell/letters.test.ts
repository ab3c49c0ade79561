import { describe, expect, it } from 'vitest'
import { lettersOf } from '../../src/shell/letters.ts'

describe('letters of pages', () => {
  it('are those that entries name, and else the first free letter of the title', () => {
    const letters = lettersOf([
      { title: 'Custom properties' },
      { title: 'Requests', letter: 'c' },
      { title: 'Explain' },
      { title: 'Environments' }
    ])
    const titles = Object.fromEntries([...letters].map(([letter, { title }]) => [letter, title]))
    expect(titles).toEqual({ c: 'Requests', u: 'Custom properties', e: 'Explain', n: 'Environments' })
  })
})
