import { expect, it } from 'vitest'
import { omitUndefined } from '../src/index.ts'

it('drops undefined properties only', () => {
  const kept = { zero: 0, empty: '', no: false, nothing: null }
  expect(Object.keys(omitUndefined({ ...kept, absent: undefined }))).toEqual(Object.keys(kept))
})
