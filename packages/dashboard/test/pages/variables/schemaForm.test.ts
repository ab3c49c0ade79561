import { describe, expect, test } from 'vitest'
import { readSchemaForm, toSchemaForm } from '../../../src/pages/variables/schemaForm.ts'

describe('allowed values', () => {
  test('reads a list of numbers for a variable', () => {
    const form = {
      ...toSchemaForm({}),
      kind: 'enum' as const,
      choices: '1\n2\n2',
      description: 'Seconds.',
      example: '1'
    }
    expect(readSchemaForm('Number', form)).toMatchObject({ schema: { enumValues: [1, 2], exampleValue: 1 } })
    expect(readSchemaForm('Number', { ...form, choices: 'x' })).toHaveProperty('problems.choices')
    expect(readSchemaForm('Number', { ...form, description: ' ' })).toHaveProperty('problems.description')
  })
})
