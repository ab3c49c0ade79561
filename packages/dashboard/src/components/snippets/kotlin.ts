import { quote, type SnippetCode, type SnippetInput, type SnippetLanguage } from './snippet.ts'

const defaults = { Boolean: 'false', String: '""', Number: '0.0', JSON: 'org.json.JSONObject()' }

function native({ url, sdkKey, variable }: SnippetInput): SnippetCode {
  return {
    shell: `# build.gradle.kts
#   implementation("com.devcycle:android-client-sdk:2.9.0")`,
    code: `import com.devcycle.sdk.android.api.*
import com.devcycle.sdk.android.model.*

val url = ${quote(url, '"')}
val options = DevCycleOptions.builder().apiProxyUrl(url).eventsApiProxyUrl(url).build()
val flags = DevCycleClient.builder()
    .withContext(applicationContext)
    .withSDKKey(${quote(sdkKey, '"')})
    .withUser(DevCycleUser.builder().withUserId("ada").withCountry("CA").build())
    .withOptions(options)
    .build()

flags.onInitialized(object : DevCycleCallback<String> {
    override fun onSuccess(result: String) =
        println(flags.variableValue(${quote(variable.key, '"')}, ${defaults[variable.type]}))
    override fun onError(t: Throwable) = t.printStackTrace()
})`
  }
}

export const kotlin: SnippetLanguage = { id: 'kotlin', title: 'Android (Kotlin)', keyType: 'mobile', native }
