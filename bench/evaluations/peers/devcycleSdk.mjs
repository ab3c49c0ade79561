import { once } from 'node:events'
import { createServer } from 'node:http'
import sdk from '@devcycle/nodejs-server-sdk'
import { toDocument } from '../document.mjs'
import { callsOf } from './calls.mjs'

/**
 * DevCycle's SDK for Node.js, which evaluates in the process. It gets the config from a server on this computer, and
 * sends no events.
 */
export async function prepare({ flags, ask }, users) {
  const client = await load(toConfig(flags))
  return {
    close: () => close(client),
    inputs: users,
    ...callsOf(ask, {
      one: (user) => client.variable(user, ask, 'none'),
      readOne: ({ value }) => value,
      all: (user) => client.allVariables(user),
      readAll: (variables) => {
        return Object.fromEntries(Object.entries(variables).map(([key, { value }]) => [key, value]))
      }
    })
  }
}

export async function load(text) {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json').setHeader('etag', '"1"')
    response.setHeader('last-modified', 'Wed, 01 Jan 2020 00:00:00 GMT').end(text)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const client = sdk.initializeDevCycle('dvc_server_bench', {
    configCDNURI: `http://127.0.0.1:${server.address().port}`,
    eventsAPIURI: `http://127.0.0.1:${server.address().port}`,
    disableAutomaticEventLogging: true,
    disableCustomEventLogging: true,
    disableRealTimeUpdates: true,
    configPollingIntervalMS: 2 ** 31 - 1,
    logLevel: 'error'
  })
  await client.onClientInitialized()
  server.close()
  server.closeAllConnections()
  return client
}

export function close(client) {
  return client.close()
}

export function toConfig(flags) {
  return JSON.stringify(toDocument(flags))
}
