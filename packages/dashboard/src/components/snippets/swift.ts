import { quote, type SnippetCode, type SnippetInput, type SnippetLanguage } from './snippet.ts'

const defaults = { Boolean: 'false', String: '""', Number: '0.0', JSON: '[String: Any]()' }

function native({ url, sdkKey, variable }: SnippetInput): SnippetCode {
  return {
    shell: `# Package.swift
#   .package(url: "https://github.com/DevCycleHQ/ios-client-sdk.git", from: "1.26.0")`,
    code: `import DevCycle

let url = ${quote(url, '"')}
let options = DevCycleOptions.builder().apiProxyURL(url).eventsApiProxyURL(url).build()
let user = try DevCycleUser.builder().userId("ada").country("CA").build()
var flags: DevCycleClient?
flags = try DevCycleClient.builder()
    .sdkKey(${quote(sdkKey, '"')})
    .user(user)
    .options(options)
    .build(onInitialized: { _ in
        print(flags?.variableValue(key: ${quote(variable.key, '"')}, defaultValue: ${defaults[variable.type]}) as Any)
    })`
  }
}

export const swift: SnippetLanguage = { id: 'swift', title: 'iOS (Swift)', keyType: 'mobile', native }
