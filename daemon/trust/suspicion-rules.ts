// Shapes of text that speaks to the model that reads it. Each rule names acts of which no note about a project needs to speak; a pattern reads
// a bounded stretch after its first word, so that its time grows with the text and never with its square.

export type Rule = { readonly reason: string; readonly pattern: RegExp };

const before =
  '(?:previous|prior|earlier|preceding|above|foregoing|existing|original|system|safety|all|any|your|these|those)';
const orders =
  '(?:instructions?|prompts?|rules?|directives?|guidelines?|guardrails?|commands?|constraints?|directions?|context|training|policies)';
const must =
  '(?:always|must|immediately|first|before (?:you|anything|answering|replying|doing)|now|without (?:asking|confirmation)|silently)';

export const suspicionRules: readonly Rule[] = [
  {
    reason: 'tells the reader to ignore its instructions',
    pattern: new RegExp(
      `\\b(?:ignore|disregard|forget|override|bypass|discard|neglect|do not follow|don't follow|stop following)\\b[^.\\n]{0,40}?\\b${before}\\b[^.\\n]{0,30}?\\b${orders}\\b`,
      'i',
    ),
  },
  {
    reason: 'tells the reader to ignore its instructions',
    // words that follow each other at once may stand on several lines
    pattern: new RegExp(
      `\\b(?:ignore|disregard|forget|override|bypass)\\s+(?:(?:the|every|of|my)\\s+){0,3}(?:${before}\\s+)(?:(?:of|the|and|${before})\\s+){0,3}${orders}\\b`,
      'i',
    ),
  },
  {
    reason: 'tells the reader to ignore its instructions',
    pattern:
      /\b(?:ignore|disregard|forget)\s+(?:everything|anything|whatever|what|all)\s+(?:that\s+)?(?:you(?:'ve)?\s+(?:know|were|have|learned)|(?:i|they|we)\s+(?:said|told)|(?:was|came)\s+(?:said|before)|above(?!\s+(?:line|the|\d)))|\b(?:rules|instructions|guidelines)\s+(?:above\s+)?(?:no longer|do not|don't)\s+apply\s+(?:to you\b)|\b(?:rules|instructions|guidelines)\s+above\s+(?:no longer|do not|don't)\s+apply|\byour\s+(?:new|real|true|actual|only)\s+(?:goal|task|objective|mission|purpose|instructions?)\s+(?:is|are)\b|\byour\s+(?:instructions|rules|guidelines)\s+(?:have|were|are)\s+(?:been\s+)?(?:changed|replaced|updated|lifted)|\b(?:disable|turn off|bypass|ignore|drop)\s+(?:(?:all|any|your|the)\s+){0,2}(?:safety\s+(?:checks?|filters?|rules)|guardrails?|restrictions\s+of\s+yours)|\bbypass\s+your\s+\w/i,
  },
  {
    reason: 'tells the reader to ignore its instructions',
    pattern:
      /\b(?:ignora|dimentica|ignore|esque[çc]a)\b[^.\n]{0,40}\b(?:istruzioni|regole|instruç(?:ões|ão)|regras)|\b(?:negeer|vergeet)\b[^.\n]{0,40}\b(?:instructies|regels|opdrachten)\b|\b(?:ignorera|glöm)\b[^.\n]{0,40}\b(?:instruktioner|regler)|\b(?:zignoruj|zapomnij)\b[^.\n]{0,40}(?:instrukcj|polece|zasad)|(?:talimatlar|kurallar)[^.\n]{0,20}(?:yok\s*say|unut|görmezden)|(?:지시|명령|규칙|지침)[^.\n]{0,10}(?:무시|잊)|(?:تجاهل|انس)[^.\n]{0,40}(?:تعليمات|أوامر|قواعد)|(?:निर्देश|नियम)[^।\n]{0,20}(?:अनदेखा|भूल)/iu,
  },
  {
    reason: 'asks for what the reader was told',
    pattern:
      /\b(?:reveal|print|repeat|output|leak|disclose|recite|show me)\b[^.\n]{0,20}\byour\b[^.\n]{0,15}\b(?:system prompt|hidden prompt|initial prompt|instructions)\b/i,
  },
  {
    reason: 'speaks to any model that reads it',
    pattern:
      /\b(?:attention|note to|message to|listen)[,:]?\s+(?:all |any |the |every )?(?:ai|llms?|(?:ai|language|coding)[ -](?:agents?|assistants?|models?)|agents|assistants?)\b[^.\n]{0,15}[:,!]|\b(?:ai|llms?|agents?|assistants?|models?) (?:that (?:is|are) )?reading (?:this|these)\b|\bas an ai (?:language )?(?:model|assistant),? you (?:must|should|will|have to)\b/i,
  },
  {
    reason: 'asks to erase what is remembered',
    pattern:
      /\b(?:call|invoke|run|use|execute|apply)\b[^.\n]{0,30}\b(?:memory_purge|memory_archive|delete_[a-z_]{3,30})\b[^.\n]{0,40}(?:\b(?:all|every|each|everything)\b|\d\s?(?:-|to|–)\s?\d)/i,
  },
  {
    reason: 'tells the reader to ignore its instructions',
    pattern:
      /\b(?:ignoriere|vergiss|missachte)\b[^.\n]{0,40}\b(?:anweisungen|regeln|vorgaben|befehle)\b|\b(?:ignorez?|oublie[zr]?)\b[^.\n]{0,40}\b(?:instructions|consignes|règles)\b|\b(?:ignora|olvida)\b[^.\n]{0,40}\b(?:instrucciones|reglas|órdenes)\b|(?:忽略|无视|忘记)[^。\n]{0,12}(?:指令|说明|指示|提示|规则)|(?:無視|忘れ)[^。\n]{0,12}|(?:игнорируй|забудь)[^.\n]{0,40}(?:инструкци|указани|правил)/iu,
  },
  {
    reason: 'gives the reader another role',
    pattern:
      /\byou are (?:now|no longer)\b(?! (?:able|allowed|logged|ready|done|connected|free|in|on|at|using|running|signed|required)\b)|\bpretend (?:that you are|to be|you are)\b|\bfrom now on,? (?:you|act|respond|answer|reply)\b|\b(?:act|behave|respond|pretend) as (?:if you (?:are|were|have)|an? (?:unrestricted|unfiltered|jailbroken|different|evil)|root|admin(?:istrator)?|dan\b)|\b(?:enter|enable|activate|switch to) (?:developer|debug|god|admin|dan|unrestricted|jailbreak) mode\b|\bnew (?:system )?(?:instructions|prompt|directive)s?\s*:/i,
  },
  {
    reason: 'asks to hide something from the user',
    pattern:
      /\b(?:do not|don't|never|without) (?:tell(?:ing)?|inform(?:ing)?|mention(?:ing)?|notify(?:ing)?|alert(?:ing)?|warn(?:ing)?|asking|reveal(?:ing)?|disclos(?:e|ing))\b[^.\n]{0,40}\b(?:the )?(?:user|human|owner|developer|operator|anyone)\b|\b(?:do not|don't|never) (?:reveal|disclose|admit|mention|say) (?:that you\b|this (?:memory|instruction|message|note|rule)\b|why you\b)|\bkeep (?:this|it|that) (?:a )?(?:secret|hidden|private) from (?:the )?(?:user|human|owner)\b|\bhide (?:this|it|that) from (?:the )?(?:user|human|owner)\b/i,
  },
  {
    reason: 'asks to send data away',
    pattern:
      /\b(?:send|post|upload|forward|exfiltrate|leak|transmit|e-?mail|submit|copy)\b[^.\n]{0,60}(?:\b(?:secrets?|credentials?|passwords?|api keys?|tokens?|private keys?|ssh keys?|env(?:ironment)? (?:file|variables?)|conversation|chat history|system prompt|memories|source code|id_(?:rsa|ed25519|ecdsa)|keychain|wallet)|\.(?:env|ssh|aws|netrc|npmrc)\b|\/etc\/(?:passwd|shadow))\b[^.\n]{0,60}(?:\bto\b|->|→)[^.\n]{0,20}(?:https?:|www\.|\S+@\S+\.\w|\S+\.(?:com|net|org|io|xyz|ru|cn|site|top)\b)/i,
  },
  {
    reason: 'asks to run a command that destroys or fetches',
    pattern: new RegExp(
      `(?:\\b${must}\\b[^\\n]{0,80}?|\\b(?:run|execute|invoke|type|enter|call|do)\\b[^\\n]{0,30}?)(?:rm\\s+-[a-z]*r[a-z]*f?[a-z]*\\s+(?:/|~|\\$HOME|\\*|-)|(?:curl|wget|iwr|invoke-webrequest)\\b[^\\n|]{0,200}\\|\\s*(?:sudo\\s+)?(?:ba|z|da)?sh\\b|base64\\s+(?:-d|--decode)[^\\n|]{0,100}\\|\\s*(?:ba|z)?sh|mkfs\\.|dd\\s+if=|:\\(\\)\\s*\\{|\\bnc\\s+-e|powershell\\s+-e|chmod\\s+(?:-R\\s+)?777\\s+/)`,
      'i',
    ),
  },
  {
    reason: 'asks to send data away',
    pattern:
      /\b(?:curl|wget|nc|fetch)\b[^\n]{0,200}(?:\$\(|`)[^)`\n]{0,80}(?:\.ssh|\.aws|\.env\b|id_rsa|credentials|\/etc\/(?:passwd|shadow)|printenv)|(?:\.ssh\/|\.aws\/|\.env\b|id_rsa|\/etc\/(?:passwd|shadow)|printenv)[^\n|]{0,80}\|\s*(?:base64[^\n|]{0,40}\|\s*)?(?:curl|wget|nc)\b|!\[[^\]\n]{0,100}\]\(https?:[^)\s]{0,200}[?&][^)\s=]{0,40}=(?:\{|<|\$|%7B|\[)/i,
  },
  {
    reason: 'asks to run a command that destroys or fetches',
    // of a whole disk or home no note needs to speak
    pattern:
      /\brm\s+(?:-[a-z-]+\s+){0,3}-[a-z]*[rf][a-z]*\s+(?:--[a-z-]+\s+){0,2}(?:\/|~\/?|\$HOME\/?)(?:\*|\s|$|['"`;&|])|--no-preserve-root|\bdel\s+(?:\/[a-z]\s+){1,3}[a-z]:\\|>>?\s*~?[^\s]{0,60}\/authorized_keys\b/i,
  },
  {
    reason: 'asks to run a command that destroys or fetches',
    pattern: /\b(?:run|execute)\b[^\n]{0,30}\brm\s+-[a-z]*rf?\b/i,
  },
  {
    reason: 'imitates another speaker',
    pattern:
      /^[ \t]*(?:#{1,6}[ \t]*)?\*{0,3}(?:(?:system|assistant)(?: (?:prompt|message|note|notice|override|update))?|(?:developer|admin(?:istrator)?|operator) (?:prompt|message|note|notice|override|update)|human)\*{0,3}[ \t]*:[ \t]*\S|^[ \t]*#{1,6}[ \t]*(?:system|assistant|developer)(?: (?:prompt|message|instructions?))?[ \t]*$|<\|?(?:im_start|im_end|system|endoftext|start_header_id)\|?>|<\/?(?:system|assistant|developer|system-reminder|system_prompt|instructions?|user_query|human)\b[^<>]{0,80}>|\[\/?(?:INST|SYSTEM)\]|<<\/?SYS>>/im,
  },
  {
    reason: 'imitates another speaker',
    pattern: /^[ \t]*(?:DEVELOPER|ADMIN(?:ISTRATOR)?|OPERATOR|ROOT)[ \t]*:[ \t]*\S/m,
  },
  {
    reason: 'imitates the frame of recalled memories or a call of a tool',
    pattern:
      /<\/?loci-memory-[a-p]{4,}>|<!-- loci:(?:begin|end|stub)|<\/?(?:antml:)?(?:function_calls|function_results|invoke|tool_call|tool_use|tool_result|tool_response)\b/i,
  },
];
