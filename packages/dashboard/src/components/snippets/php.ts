import { quote, type SnippetCode, type SnippetInput, type SnippetLanguage, shell } from './snippet.ts'

const defaults = { Boolean: 'false', String: "''", Number: '0', JSON: '[]' }

function native(input: SnippetInput): SnippetCode {
  const { url, variable } = input
  return {
    shell: shell('composer require devcycle/php-server-sdk', input),
    code: `<?php

require __DIR__ . '/vendor/autoload.php';

use DevCycle\\Api\\DevCycleClient;
use DevCycle\\Model\\{DevCycleOptions, DevCycleUser};

$options = new DevCycleOptions(enableEdgeDB: false, bucketingApiHostname: ${quote(url)});
$flags = new DevCycleClient(sdkKey: getenv('BURGEE_SERVER_KEY'), dvcOptions: $options);

$user = new DevCycleUser(['user_id' => 'ada', 'country' => 'CA']);
var_dump($flags->variableValue($user, ${quote(variable.key)}, ${defaults[variable.type]}));`
  }
}

export const php: SnippetLanguage = { id: 'php', title: 'PHP', keyType: 'server', native }
