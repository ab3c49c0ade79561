import { describe, expect, test } from 'vitest'
import { readPropertySchema, toPropertyForm } from '../../../src/pages/customProperties/propertyForm.ts'

describe('allowed values', () => {
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
