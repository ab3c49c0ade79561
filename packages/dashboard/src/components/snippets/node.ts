import {
  quote,
  type SnippetCode,
  type SnippetInput,
  type SnippetLanguage,
  scriptDefaults,
  shell,
  typeNames
} from './snippet.ts'

function openfeature(input: SnippetInput): SnippetCode {
  const { url, variable } = input
  return {
    shell: shell('npm install @burgee/openfeature-provider @openfeature/server-sdk', input),
    code: `import { BurgeeProvider } from '@burgee/openfeature-provider'
import { OpenFeature } from '@openfeature/server-sdk'

const url = ${quote(url)}
const sdkKey = process.env.BURGEE_SERVER_KEY
await OpenFeature.setProviderAndWait(new BurgeeProvider({ url, sdkKey }))
const flags = OpenFeature.getClient()

const user = { targetingKey: 'ada', country: 'CA' }
const value = await flags.get${typeNames[variable.type]}Value(${quote(variable.key)}, ${scriptDefaults[variable.type]}, user)
console.log(value)`
  }
}

function native(input: SnippetInput): SnippetCode {
  const { url, variable } = input
  return {
    shell: shell('npm install @devcycle/nodejs-server-sdk', input),
    code: `import { initializeDevCycle } from '@devcycle/nodejs-server-sdk'

const url = ${quote(url)}
const sdkKey = process.env.BURGEE_SERVER_KEY
const flags = initializeDevCycle(sdkKey, { configCDNURI: url, eventsAPIURI: url })
await flags.onClientInitialized()

const user = { user_id: 'ada', country: 'CA' }
console.log(flags.variableValue(user, ${quote(variable.key)}, ${scriptDefaults[variable.type]}))`
  }
}

export const node: SnippetLanguage = { id: 'node', title: 'Node.js', keyType: 'server', openfeature, native }
