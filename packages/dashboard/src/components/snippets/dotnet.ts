import { quote, type SnippetCode, type SnippetInput, type SnippetLanguage, shell } from './snippet.ts'

const defaults = { Boolean: 'false', String: '""', Number: '0.0', JSON: 'new Value()' }
const methods = { Boolean: 'Boolean', String: 'String', Number: 'Double', JSON: 'Object' }

function openfeature(input: SnippetInput): SnippetCode {
  const { url, variable } = input
  return {
    shell: shell('dotnet add package OpenFeature\ndotnet add package OpenFeature.Providers.Ofrep', input),
    code: `using System;
using System.Collections.Generic;
using OpenFeature;
using OpenFeature.Model;
using OpenFeature.Providers.Ofrep;
using OpenFeature.Providers.Ofrep.Configuration;

var options = new OfrepOptions(${quote(url, '"')})
{
    Headers = new Dictionary<string, string>
    {
        ["Authorization"] = "Bearer " + Environment.GetEnvironmentVariable("BURGEE_SERVER_KEY")
    }
};
await Api.Instance.SetProviderAsync(new OfrepProvider(options));
var flags = Api.Instance.GetClient();

var user = EvaluationContext.Builder().SetTargetingKey("ada").Set("country", "CA").Build();
Console.WriteLine(await flags.Get${methods[variable.type]}ValueAsync(${quote(variable.key, '"')}, ${defaults[variable.type]}, user));`
  }
}

export const dotnet: SnippetLanguage = { id: 'dotnet', title: '.NET', keyType: 'server', openfeature }
