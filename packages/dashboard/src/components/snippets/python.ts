import { quote, type SnippetCode, type SnippetInput, type SnippetLanguage, shell } from './snippet.ts'

const defaults = { Boolean: 'False', String: '""', Number: '0.0', JSON: '{}' }
const methods = { Boolean: 'boolean', String: 'string', Number: 'float', JSON: 'object' }

function openfeature(input: SnippetInput): SnippetCode {
  const { url, variable } = input
  return {
    shell: shell('pip install openfeature-sdk openfeature-provider-ofrep', input),
    code: `import os

from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext

key = os.environ["BURGEE_SERVER_KEY"]
api.set_provider(
    OFREPProvider(${quote(url, '"')}, headers_factory=lambda: {"Authorization": f"Bearer {key}"})
)
flags = api.get_client()

user = EvaluationContext(targeting_key="ada", attributes={"country": "CA"})
print(flags.get_${methods[variable.type]}_value(${quote(variable.key, '"')}, ${defaults[variable.type]}, user))`
  }
}

function native(input: SnippetInput): SnippetCode {
  const { url, variable } = input
  return {
    shell: shell('pip install devcycle-python-server-sdk', input),
    code: `import os

from devcycle_python_sdk import DevCycleLocalClient, DevCycleLocalOptions
from devcycle_python_sdk.models.user import DevCycleUser

url = ${quote(url, '"')}
options = DevCycleLocalOptions(config_cdn_uri=url, events_api_uri=url)
flags = DevCycleLocalClient(os.environ["BURGEE_SERVER_KEY"], options)

user = DevCycleUser(user_id="ada", country="CA")
print(flags.variable_value(user, ${quote(variable.key, '"')}, ${defaults[variable.type]}))`
  }
}

export const python: SnippetLanguage = { id: 'python', title: 'Python', keyType: 'server', openfeature, native }
