import type { Candidate, CommandTree, TreeNode } from './command-tree.ts';

/** The script for zsh: sourced, or put as `_loci` into a folder of `fpath`. */
export function zshScript({ nodes, valued }: CommandTree): string {
  return `#compdef loci
# zsh completion of loci: source <(loci completion zsh), after compinit
_loci() {
  local current="\${words[CURRENT]}" previous="\${words[CURRENT-1]}"
  local path_='' word
  local -i place=0 at
  local -a found
  for ((at = 2; at < CURRENT; at++)); do
    word="\${words[at]}"
    case "$word" in
      (${valued.join('|')}) ((at++)); continue ;;
      (-*) continue ;;
    esac
    case "$path_|$word" in
${nodes.flatMap(steps).join('\n')}
      (*) ((place++)) ;;
    esac
  done
  case "$path_|$previous" in
${nodes.flatMap(flagValues).join('\n')}
  esac
  case "$previous" in
    (${valued.join('|')}) _files; return ;;
  esac
  if [[ "$current" == -* ]]; then
    case "$path_" in
${nodes.map(flagWords).join('\n')}
    esac
    _describe -o 'flag' found
    return
  fi
  case "$path_|$place" in
${nodes.flatMap(placeWords).join('\n')}
    (*) _files; return ;;
  esac
  _describe 'command' found
}
if [[ "\${funcstack[1]}" == _loci ]]; then _loci "$@"; else compdef _loci loci; fi
`;
}

function steps({ path, commands }: TreeNode): string[] {
  return commands.map(({ word, aliases }) => {
    const patterns = [word, ...aliases].map((one) => `'${path}|${one}'`).join('|');
    return `      (${patterns}) path_='${[path, word].join(' ').trim()}'; place=0 ;;`;
  });
}

function flagValues({ path, flags }: TreeNode): string[] {
  return flags
    .filter(({ values }) => values.length > 0)
    .map(({ word, values }) => `    ('${path}|${word}') compadd -- ${values.join(' ')}; return ;;`);
}

function flagWords({ path, flags }: TreeNode): string {
  return `      ('${path}') found=(${flags.map(described).join(' ')}) ;;`;
}

function placeWords({ path, commands, positions }: TreeNode): string[] {
  if (commands.length > 0) {
    const all = commands.flatMap(({ word, aliases, about }) => [word, ...aliases].map((one) => ({ word: one, about })));
    return [`    ('${path}|0') found=(${all.map(described).join(' ')}) ;;`];
  }
  return positions.flatMap((words, place) =>
    words.length === 0 ? [] : [`    ('${path}|${place}') compadd -- ${words.join(' ')}; return ;;`],
  );
}

/** `word:what it does`; a colon of the word itself would end it. */
function described({ word, about }: Candidate): string {
  return `'${word.replaceAll(':', '\\:')}:${about.replaceAll("'", "'\\''")}'`;
}
