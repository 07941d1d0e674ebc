import type { CommandTree, TreeNode } from './command-tree.ts';

/** The script for fish. One function answers every Tab: a rule per flag would be tested one by one, hundreds of them. */
export function fishScript({ nodes, valued }: CommandTree): string {
  return `# fish completion of loci: loci completion fish | source
function __loci_candidates
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l path ''
    set -l place 0
    set -l previous ''
    set -l is_value 0
    for word in $words[2..-1]
        if test $is_value = 1
            set is_value 0
            set previous ''
            continue
        end
        set previous $word
        switch $word
            case ${valued.join(' ')}
                set is_value 1
                continue
            case '-*'
                continue
        end
        switch "$path|$word"
${nodes.flatMap(steps).join('\n')}
            case '*'
                set place (math $place + 1)
        end
    end
    if test $is_value = 1
        switch "$path|$previous"
${nodes.flatMap(flagValues).join('\n')}
            case '*'
                __fish_complete_path $current
        end
        return
    end
    if string match -q -- '-*' $current
        switch $path
${nodes.map(flagWords).join('\n')}
        end
        return
    end
    switch "$path|$place"
${nodes.flatMap(placeWords).join('\n')}
        case '*'
            __fish_complete_path $current
    end
end
complete -c loci -f -a '(__loci_candidates)'
`;
}

function steps({ path, commands }: TreeNode): string[] {
  return commands.flatMap(({ word, aliases }) => [
    `            case ${[word, ...aliases].map((one) => `'${path}|${one}'`).join(' ')}`,
    `                set path '${[path, word].join(' ').trim()}'`,
    '                set place 0',
  ]);
}

function flagValues({ path, flags }: TreeNode): string[] {
  return flags
    .filter(({ values }) => values.length > 0)
    .flatMap(({ word, values }) => [
      `            case '${path}|${word}'`,
      `                printf '%s\\n' ${values.join(' ')}`,
    ]);
}

function flagWords({ path, flags }: TreeNode): string {
  return [`            case '${path}'`, `                printf '%s\\t%s\\n' ${pairs(flags)}`].join('\n');
}

function placeWords({ path, commands, positions }: TreeNode): string[] {
  if (commands.length > 0) {
    const all = commands.flatMap(({ word, aliases, about }) => [word, ...aliases].map((one) => ({ word: one, about })));
    return [`        case '${path}|0'`, `            printf '%s\\t%s\\n' ${pairs(all)}`];
  }
  return positions.flatMap((words, place) =>
    words.length === 0 ? [] : [`        case '${path}|${place}'`, `            printf '%s\\n' ${words.join(' ')}`],
  );
}

function pairs(candidates: readonly { readonly word: string; readonly about: string }[]): string {
  return candidates
    .map(({ word, about }) => `${word} '${about.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`)
    .join(' ');
}
