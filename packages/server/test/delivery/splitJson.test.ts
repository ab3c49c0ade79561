import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitJson } from '../../src/lib/splitJson.ts'

const values = fc.anything({ withDate: true, withNullPrototype: true }).filter((value) => value !== undefined)

test.each([1, 3])('the parts of a value, in slices of %i items, are the text that JSON.stringify returns', (items) => {
  fc.assert(
    fc.property(values, fc.nat({ max: 5 }), (value, levels) => {
      expect([...splitJson(value, levels, items)].join('')).toBe(JSON.stringify(value))
    })
  )
})
