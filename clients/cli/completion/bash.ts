import type { CommandTree, TreeNode } from './command-tree.ts';

/** The script for bash, 3.2 (that of macOS) and newer. */
export function bashScript({ nodes, valued }: CommandTree): string {
  return `# bash completion of loci: source <(loci completion bash)
_loci() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local path='' place=0 words='' at word
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    case "$word" in
      ${valued.join('|')}) ((at++)); continue ;;
      -*) continue ;;
    esac
    case "$path|$word" in
${nodes.flatMap(steps).join('\n')}
      *) ((place++)) ;;
    esac
  done
  case "$path|$previous" in
${nodes.flatMap(flagValues).join('\n')}
    *)
      case "$previous" in
        ${valued.join('|')}) return ;;
      esac
      if [[ $current == -* ]]; then
        case "$path" in
${nodes.map(flagWords).join('\n')}
        esac
      else
        case "$path|$place" in
${nodes.flatMap(placeWords).join('\n')}
        esac
      fi
      ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _loci loci
`;
}

function steps({ path, commands }: TreeNode): string[] {
  return commands.map(({ word, aliases }) => {
    const patterns = [word, ...aliases].map((one) => `'${path}|${one}'`).join('|');
    return `      ${patterns}) path='${[path, word].join(' ').trim()}' place=0 ;;`;
  });
}

function flagValues({ path, flags }: TreeNode): string[] {
  return flags
    .filter(({ values }) => values.length > 0)
    .map(({ word, values }) => `    '${path}|${word}') words='${values.join(' ')}' ;;`);
}

function flagWords({ path, flags }: TreeNode): string {
  return `          '${path}') words='${flags.map(({ word }) => word).join(' ')}' ;;`;
}

function placeWords({ path, commands, positions }: TreeNode): string[] {
  const first = commands.length > 0 ? [commands.flatMap(({ word, aliases }) => [word, ...aliases])] : positions;
  return first.map((words, place) => `          '${path}|${place}') words='${words.join(' ')}' ;;`);
}
