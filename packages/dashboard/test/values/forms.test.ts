import { describe, expect, test } from 'vitest'
import { readPropertySchema, toPropertyForm } from '../../src/pages/customProperties/propertyForm.ts'
import { readSchemaForm, toSchemaForm } from '../../src/pages/variables/schemaForm.ts'
import { jsonSize, numberWarning, parseValue } from '../../src/parts/values/valueText.ts'

describe('typed values', () => {
  test.each(['', '1,5', 'NaN', 'Infinity', '0x10', '1e999'])('refuses %j as a number', (text) => {
    expect(parseValue('Number', text)).toHaveProperty('problem')
  })

  test('warns when another number is stored', () => {
    expect(numberWarning('9007199254740993')).toContain('not exact')
    expect(numberWarning('0.1000000000000000055511')).toBe('Stored as 0.1.')
    expect(numberWarning('10.50')).toBeUndefined()
  })

  test('takes objects as JSON only', () => {
    expect(parseValue('JSON', '{"a":1}')).toEqual({ value: { a: 1 } })
    expect(parseValue('JSON', '[1]')).toHaveProperty('problem')
    expect(parseValue('JSON', '{')).toHaveProperty('problem')
  })

  test('measures JSON without spaces', () => {
    expect(jsonSize('{ "a": 1 }')).toBe('7 bytes')
  })
})

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

  test('reads values and labels of a custom property', () => {
    const form = { ...toPropertyForm(), values: 'free\npro = Professional' }
    expect(readPropertySchema(form)).toMatchObject({
      schema: {
        enumSchema: {
          allowedValues: [
            { label: 'free', value: 'free' },
            { label: 'Professional', value: 'pro' }
          ]
        }
      }
    })
  })
})
