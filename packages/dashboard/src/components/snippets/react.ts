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
    shell: 'npm install @openfeature/react-sdk @openfeature/web-sdk @openfeature/ofrep-web-provider',
    code: `import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'
import { OpenFeature, OpenFeatureProvider, use${typeNames[variable.type]}FlagValue } from '@openfeature/react-sdk'

const provider = new OFREPWebProvider({
  baseUrl: ${quote(url)},
  headers: [['Authorization', ${quote(`Bearer ${sdkKey}`)}]]
})
OpenFeature.setProviderAndWait(provider, { targetingKey: 'ada', country: 'CA' }).catch(console.error)

function Example() {
  const value = use${typeNames[variable.type]}FlagValue(${quote(variable.key)}, ${scriptDefaults[variable.type]})
  return <p>{JSON.stringify(value)}</p>
}

export function App() {
  return (
    <OpenFeatureProvider>
      <Example />
    </OpenFeatureProvider>
  )
}`
  }
}

function native({ url, sdkKey, variable }: SnippetInput): SnippetCode {
  return {
    shell: 'npm install @devcycle/react-client-sdk',
    code: `import { DevCycleProvider, useVariableValue } from '@devcycle/react-client-sdk'

const config = {
  sdkKey: ${quote(sdkKey)},
  user: { user_id: 'ada', country: 'CA' },
  options: { apiProxyURL: ${quote(url)} }
}

function Example() {
  const value = useVariableValue(${quote(variable.key)}, ${scriptDefaults[variable.type]})
  return <p>{JSON.stringify(value)}</p>
}

export function App() {
  return (
    <DevCycleProvider config={config}>
      <Example />
    </DevCycleProvider>
  )
}`
  }
}

export const react: SnippetLanguage = { id: 'react', title: 'React', keyType: 'client', openfeature, native }
