import { expect } from 'vitest'
import { colors } from './checkout.ts'
import { sorts } from './listing.ts'
import type { Chapter, Step } from './step.ts'

/** Variables are created, listed and changed. */
export const varying: readonly Chapter[] = [
  [
    'creates variables with everything that one can have',
    [
      {
        tool: 'create_variable',
        given: {
          key: 'plan-code',
          type: 'String',
          name: 'Code of the plan',
          description: 'As invoices have it.',
          persistent: true,
          tags: ['billing'],
          validationSchema: {
            schemaType: 'regex',
            regexPattern: '^[A-Z]{3}$',
            description: 'Three letters.',
            exampleValue: 'ABC'
          }
        },
        result: {
          key: 'plan-code',
          type: 'String',
          name: 'Code of the plan',
          description: 'As invoices have it.',
          persistent: true,
          tags: ['billing'],
          validationSchema: { schemaType: 'regex', regexPattern: '^[A-Z]{3}$' }
        }
      },
      {
        tool: 'create_variable',
        given: {
          key: 'limits',
          type: 'JSON',
          validationSchema: {
            schemaType: 'jsonSchema',
            jsonSchema: '{"type":"object","required":["most"]}',
            description: 'How many.',
            exampleValue: { most: 3 }
          }
        },
        result: { key: 'limits', validationSchema: { jsonSchema: '{"type":"object","required":["most"]}' } }
      },
      {
        tool: 'create_variable',
        given: { key: 'retries', type: 'Number', defaultValue: 2 },
        result: { key: 'retries', note: 'defaultValue 2 is not stored: a variable has values once it is in a feature' }
      },
      {
        tool: 'create_variable',
        given: { key: 'dark-tone', type: 'String', defaultValue: 'grey', _feature: 'dark-mode' },
        result: { key: 'dark-tone', _feature: expect.any(String) }
      },
      {
        tool: 'get_feature',
        given: { key: 'dark-mode' },
        result: { variations: [{ variables: { 'dark-tone': 'grey' } }, { variables: { 'dark-tone': 'grey' } }] }
      }
    ]
  ],
  [
    'lists, searches, sorts and pages variables',
    [
      {
        tool: 'list_variables',
        given: { sortBy: 'key', sortOrder: 'asc', page: 2, perPage: 3 },
        keys: ['dark-mode', 'dark-tone', 'limits'],
        part: { total: 10, page: 2, perPage: 3 }
      },
      { tool: 'list_variables', given: { search: 'code' }, keys: ['plan-code'] },
      ...sorts.map(
        (sortBy): Step => ({
          tool: 'list_variables',
          given: { sortBy, search: 'dark' },
          part: { total: 2, page: 1, perPage: 100 }
        })
      ),
      {
        tool: 'list_variables',
        given: { feature: 'dark-mode', sortBy: 'key', sortOrder: 'desc' },
        keys: ['dark-tone', 'dark-mode']
      },
      {
        tool: 'list_variables',
        given: { type: 'Number', sortBy: 'key', sortOrder: 'asc' },
        keys: ['retries', 'steps']
      },
      {
        tool: 'list_variables',
        given: { type: 'Boolean', sortBy: 'key', sortOrder: 'asc' },
        keys: ['checkout', 'dark-mode']
      },
      { tool: 'list_variables', given: { type: 'JSON', sortBy: 'key', sortOrder: 'asc' }, keys: ['limits', 'theme'] },
      { tool: 'list_variables', given: { status: 'archived' }, keys: [] },
      { tool: 'list_variables', given: { status: 'active', perPage: 1 }, part: { total: 10, page: 1, perPage: 1 } }
    ]
  ],
  [
    'changes what is given of a variable, and leaves the rest',
    [
      {
        tool: 'update_variable',
        given: { key: 'plan-code', name: 'Plan', description: 'Short.', persistent: false, tags: [] },
        result: {
          name: 'Plan',
          description: 'Short.',
          persistent: false,
          tags: [],
          validationSchema: { regexPattern: '^[A-Z]{3}$' }
        }
      },
      {
        tool: 'update_variable',
        given: { key: 'plan-code', validationSchema: null, type: 'Number' },
        as: 'planCode',
        result: { name: 'Plan', type: 'Number' }
      },
      {
        tool: 'update_variable',
        given: { key: 'button-color', validationSchema: { ...colors, enumValues: ['blue'] } },
        fails: ['VALIDATION_ERROR', /green/]
      }
    ]
  ]
]
