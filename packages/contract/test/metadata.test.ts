import { evaluationMetadata } from '@burgee/core'
import { expect, test } from 'vitest'
import { Metadata, RESERVED_KEYS } from '../src/index.ts'

test('metadata of a variable leaves the names to evaluation that it says with where a value comes from', () => {
  const { error } = Metadata.safeParse({ owner: 'payments', _feature: 'mine' })
  expect(error?.issues.map(({ message }) => message)).toEqual([
    `should have no member named ${[...evaluationMetadata, ...RESERVED_KEYS].join(', ')}`
  ])
})
