import { createClient } from '@burgee/contract/client'
import { parseOptions, type RunningServer, startServer } from '@burgee/server'
import { flags } from './flags.ts'

/** Starts a real server with the flags of the suites, and returns the server key of their environment. */
export async function serveFlags(): Promise<{ readonly server: RunningServer; readonly sdkKey: string }> {
  const server = await startServer(parseOptions(['--store', 'memory:', '--port', '0', '--log-level', 'error'], {}))
  if (!server.administrator) throw new Error('a server with a new store makes up its administrator')
  const manage = createClient({ baseUrl: server.url, credentials: server.administrator })
  const project = 'conformance'
  const environment = { params: { project, key: 'production' } }
  await manage.createProject({ body: { key: project, name: 'Conformance' } })
  // The suites expect the value of the default variant where no rule matches.
  await manage.updateEnvironment({ ...environment, body: { settings: { ofrepOffValues: true } } })
  for (const { key, type, variants, target, otherwise, isDisabled, metadata } of flags) {
    if (isDisabled) {
      await manage.createVariable({ params: { project }, body: { key, name: key, type } })
      continue
    }
    // The first variation is the off value of the environment.
    const names = Object.keys(variants).sort((one, other) => Number(other === otherwise) - Number(one === otherwise))
    await manage.createFeature({
      params: { project },
      body: {
        key,
        name: key,
        variables: [{ key, type }],
        variations: names.map((name) => ({ key: name, name, variables: { [key]: variants[name]! } })),
        configurations: {
          production: {
            status: 'active',
            targets: [
              { audience: { filters: target.filters }, distribution: [{ _variation: target.variation, percentage: 1 }] }
            ]
          }
        }
      }
    })
    if (metadata) await manage.updateVariable({ params: { project, key }, body: { metadata } })
  }
  const { sdkKeys } = await manage.getEnvironment(environment)
  const [sdkKey] = sdkKeys?.server ?? []
  if (!sdkKey) throw new Error('an environment has a server key from the beginning')
  return { server, sdkKey: sdkKey.key }
}
