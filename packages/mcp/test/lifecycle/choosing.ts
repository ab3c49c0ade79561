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
  ...[true, false].map(
    (includeServerKeys): Chapter => [
      includeServerKeys
        ? 'shows a project with its environments and all SDK keys, if the call asks for server keys'
        : 'shows a project with its environments and SDK keys, without server keys',
      (includeServerKeys ? ['select_project'] : ['select_project', 'get_current_project']).map((tool) => ({
        tool,
        given: { projectKey: 'books', ...(includeServerKeys ? { includeServerKeys } : {}) },
        result: ({ sdkKeys }: Seen) => {
          const keysOf = (environment: string) => {
            const { server, ...others } = sdkKeys[environment]
            return includeServerKeys ? { server, ...others } : others
          }
          return {
            selectedProject: {
              key: 'books',
              name: 'Books',
              description: 'Where it takes place.',
              environments: [
                { key: 'development', name: 'Development', type: 'development', sdkKeys: keysOf('development') },
                { key: 'staging', name: 'Staging', type: 'staging', sdkKeys: keysOf('staging') },
                {
                  key: 'production',
                  name: 'Production',
                  description: '',
                  type: 'production',
                  sdkKeys: keysOf('production')
                }
              ]
            },
            message: expect.stringContaining('"books"')
          }
        }
      }))
    ]
  )
]
