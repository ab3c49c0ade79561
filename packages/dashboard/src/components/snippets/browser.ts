import {
  quote,
  type SnippetCode,
  type SnippetInput,
  type SnippetLanguage,
  scriptDefaults,
  typeNames
} from './snippet.ts'

function openfeature({ url, sdkKey, variable }: SnippetInput): SnippetCode {
  return {
    shell: 'npm install @openfeature/web-sdk @openfeature/ofrep-web-provider',
    code: `import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'
import { OpenFeature } from '@openfeature/web-sdk'

const provider = new OFREPWebProvider({
  baseUrl: ${quote(url)},
  headers: [['Authorization', ${quote(`Bearer ${sdkKey}`)}]]
})
await OpenFeature.setProviderAndWait(provider, { targetingKey: 'ada', country: 'CA' })

const value = OpenFeature.getClient().get${typeNames[variable.type]}Value(${quote(variable.key)}, ${scriptDefaults[variable.type]})
console.log(value)`
  }
}

function native({ url, sdkKey, variable }: SnippetInput): SnippetCode {
  return {
    shell: 'npm install @devcycle/js-client-sdk',
    code: `import { initializeDevCycle } from '@devcycle/js-client-sdk'

const user = { user_id: 'ada', country: 'CA' }
const flags = initializeDevCycle(${quote(sdkKey)}, user, { apiProxyURL: ${quote(url)} })
await flags.onClientInitialized()

console.log(flags.variableValue(${quote(variable.key)}, ${scriptDefaults[variable.type]}))`
  }
}

export const browser: SnippetLanguage = { id: 'browser', title: 'Web page', keyType: 'client', openfeature, native }
