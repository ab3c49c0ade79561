import { call, serve, type TestServer } from '@burgee/testing/harness'
import { temporaryDatabase } from '@burgee/testing/postgres/testDatabase'
import { runs } from '@burgee/testing/scale'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { agreeOnEnvironments, agreeWholly } from './agree.ts'
import { commands, opening, restart } from './commands/commands.ts'
import type { Real, World } from './real.ts'
import { newModel } from './state.ts'

test.each([
  ['memory:', runs({ quick: 5, full: 25 }), async (): Promise<World> => alone(await serve({}, { store: 'memory:' }))],
  ['file:', runs({ quick: 2, full: 8 }), async (): Promise<World> => restarting(await temporaryDirectory())],
  ['postgres:', runs({ quick: 1, full: 8 }), async (): Promise<World> => restarting(await temporaryDatabase())]
])(
  'random requests to a server on a %s store have the results of the model, %i times',
  async (store, numRuns, start) => {
    const world = await start()
    let count = 0
    // The last project of an organization cannot be deleted.
    await call(world.server, 'createProject', { body: { key: 'base', name: 'Base' } })
    const kinds = store === 'memory:' ? commands : [...commands, fc.constant(restart)]
    const property = fc.asyncProperty(fc.commands(kinds, { maxCommands: 80, size: 'max' }), async (steps) => {
      count += 1
      const project = `run-${count}`
      const created = await call(world.server, 'createProject', { body: { key: project, name: project } })
      expect(created.status).toBe(201)
      const model = newModel()
      const real: Real = { world, project, ids: new Map(), handles: new Map(), deadKeys: new Set(), drawn: new Map() }
      await agreeOnEnvironments(model, real)
      for (const command of opening) await command.run(model, real)
      await fc.asyncModelRun(() => ({ model, real }), steps)
      if (store === 'memory:') await agreeWholly(model, real)
      else await restart.run(model, real)
      expect((await call(world.server, 'deleteProject', { params: { key: project } })).status).toBe(200)
    })
    await fc.assert(property, { numRuns })
  },
  runs({ quick: 30_000, full: 120_000 })
)

function alone(server: TestServer): World {
  return { server, restart: async () => {} }
}

/** A server on a directory or a database that can be restarted. */
async function restarting(directory: string): Promise<World> {
  const world: World = {
    server: await serve(directory),
    restart: async () => {
      await world.server.close()
      world.server = await serve(directory)
    }
  }
  return world
}
