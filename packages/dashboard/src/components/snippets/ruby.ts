import { quote, type SnippetCode, type SnippetInput, type SnippetLanguage, shell } from './snippet.ts'

const defaults = { Boolean: 'false', String: "''", Number: '0', JSON: '{}' }

function native(input: SnippetInput): SnippetCode {
  const { url, variable } = input
  return {
    shell: shell('bundle add devcycle-ruby-server-sdk', input),
    code: `require 'devcycle-ruby-server-sdk'

url = ${quote(url)}
options = DevCycle::Options.new(config_cdn_uri: url, events_api_uri: url)
flags = DevCycle::Client.new(ENV.fetch('BURGEE_SERVER_KEY'), options, true)

user = DevCycle::User.new({ user_id: 'ada', country: 'CA' })
puts flags.variable_value(user, ${quote(variable.key)}, ${defaults[variable.type]})`
  }
}

export const ruby: SnippetLanguage = { id: 'ruby', title: 'Ruby', keyType: 'server', native }
