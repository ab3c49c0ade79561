import { evaluationMetadata } from '@burgee/core'
import { expect, test } from 'vitest'
import { Metadata, RESERVED_KEYS } from '../src/schemas.ts'

test('metadata of a variable may not use the names of evaluation metadata', () => {
  const { error } = Metadata.safeParse({ owner: 'payments', _feature: 'mine' })
  expect(error?.issues.map(({ message }) => message)).toEqual([
    `should have no member named ${[...evaluationMetadata, ...RESERVED_KEYS].join(', ')}`
  ])
})
