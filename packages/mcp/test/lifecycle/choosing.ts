import { expect } from 'vitest'
import type { Chapter, Seen } from './step.ts'

/** A project is chosen. */
export const choosing: readonly Chapter[] = [
  [
    'lists the projects for the person to choose from',
    [
      {
        tool: 'select_project',
        result: {
          availableProjects: [
            { key: 'books', name: 'Books', description: 'Where it takes place.' },
            { key: 'shop', name: 'Shop', description: '' }
          ],
          message: expect.stringMatching(/^Ask the person/)
        }
      }
    ]
  ],
  [
    'shows a project with its environments and SDK keys',
    ['select_project', 'get_current_project'].map((tool) => ({
      tool,
      given: { projectKey: 'books' },
      result: ({ sdkKeys }: Seen) => ({
        selectedProject: {
          key: 'books',
          name: 'Books',
          description: 'Where it takes place.',
          environments: [
            { key: 'development', name: 'Development', type: 'development', sdkKeys: sdkKeys.development },
            { key: 'staging', name: 'Staging', type: 'staging', sdkKeys: sdkKeys.staging },
            { key: 'production', name: 'Production', description: '', type: 'production', sdkKeys: sdkKeys.production }
          ]
        },
        message: expect.stringContaining('"books"')
      })
    }))
  ]
]
