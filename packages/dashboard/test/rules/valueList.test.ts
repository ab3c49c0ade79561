import { describe, expect, test } from 'vitest'
import { formatValues, parseValues, sortValues } from '../../src/rules/valueList.ts'

describe('a list of values', () => {
  test('takes pasted text and reports what it did', () => {
    const { values, report, invalid, duplicates } = parseValues('1.2\n1.3, x;1.2\r\n"2.0"\ty', 'version', ['1.3'])
    expect(values).toEqual(['1.3', '1.2', '2.0'])
    expect(report).toBe('Added 2, 2 were already in the list, 2 are not versions.')
    expect(invalid).toMatchObject([
      { text: 'x', line: 2 },
      { text: 'y', line: 3 }
    ])
    expect(duplicates).toMatchObject([
      { text: '1.3', line: 2 },
      { text: '1.2', line: 2 }
    ])
  })

  test.each<[string, Parameters<typeof parseValues>[1], readonly unknown[]]>([
    ['ca, us', 'country', ['CA', 'US']],
    ['12.5;-1 1e3', 'number', [12.5]],
    ['true,FALSE', 'boolean', [true, false]],
    ['"a,b"," c ","say ""hi"""', 'text', ['a,b', ' c ', 'say "hi"']],
    ['5" screen, plain', 'text', ['5" screen', 'plain']],
    [' , ;\n', 'text', []]
  ])('parses %j as %s', (text, type, expected) => {
    expect(parseValues(text, type).values).toEqual(expected)
  })

  test('survives editing as text', () => {
    const values = ['plain', ' outer ', 'a,b;c', 'line\nbreak', 'say "hi"', '"', 'tab\t']
    expect(parseValues(formatValues(values), 'text').values).toEqual(values)
  })

  test('takes 10,000 values quickly and says which are too many', () => {
    const text = Array.from({ length: 10_003 }, (_, index) => `user-${index}`).join('\n')
    const before = process.cpuUsage()
    const { values, overLimit, report } = parseValues(text, 'text')
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000)
    expect([values.length, overLimit.length]).toEqual([10_000, 3])
    expect(report).toBe('Added 10,000, 3 are over the limit of 10,000.')
  })

  test('sorts numbers by size and texts as a dictionary does', () => {
    expect(sortValues([10, 9, -1])).toEqual([-1, 9, 10])
    expect(sortValues(['b10', 'b9', 'A'])).toEqual(['A', 'b9', 'b10'])
  })
})
