import { quote, type SnippetCode, type SnippetInput, type SnippetLanguage } from './snippet.ts'

const defaults = { Boolean: 'false', String: '""', Number: '0.0', JSON: 'new Value()' }
const methods = { Boolean: 'Boolean', String: 'String', Number: 'Double', JSON: 'Object' }

function openfeature({ url, sdkKey, variable }: SnippetInput): SnippetCode {
  return {
    shell: `# build.gradle
#   implementation 'dev.openfeature:sdk:1.22.0'
#   implementation 'dev.openfeature.contrib.providers:ofrep:0.0.2'
export BURGEE_SERVER_KEY=${sdkKey}`,
    code: `import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.openfeature.contrib.providers.ofrep.OfrepProvider;
import dev.openfeature.contrib.providers.ofrep.OfrepProviderOptions;
import dev.openfeature.sdk.*;
import java.util.Map;

public final class Example {
    public static void main(String[] args) {
        OfrepProviderOptions options = OfrepProviderOptions.builder()
                .baseUrl(${quote(url, '"')})
                .headers(ImmutableMap.of(
                        "Authorization", ImmutableList.of("Bearer " + System.getenv("BURGEE_SERVER_KEY"))))
                .build();
        OpenFeatureAPI.getInstance().setProviderAndWait(OfrepProvider.constructProvider(options));
        Client flags = OpenFeatureAPI.getInstance().getClient();

        EvaluationContext user = new ImmutableContext("ada", Map.of("country", new Value("CA")));
        System.out.println(flags.get${methods[variable.type]}Value(${quote(variable.key, '"')}, ${defaults[variable.type]}, user));
        OpenFeatureAPI.getInstance().shutdown();
    }
}`
  }
}

export const java: SnippetLanguage = { id: 'java', title: 'Java', keyType: 'server', openfeature }
