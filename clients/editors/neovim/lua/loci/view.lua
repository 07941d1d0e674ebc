-- A scratch buffer in a split: memories are text to read, and closing the window is all there is to clean up.
local M = {}

local function open(title, lines)
  local name = 'loci://' .. title
  local buffer = vim.fn.bufnr('^' .. vim.fn.escape(name, '\\[]*?{},^$~') .. '$')
  if buffer == -1 then
    buffer = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_name(buffer, name)
  end
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].buftype = 'nofile'
  vim.bo[buffer].bufhidden = 'wipe'
  vim.bo[buffer].filetype = 'markdown'
  local window = vim.fn.bufwinid(buffer)
  if window ~= -1 then
    vim.api.nvim_set_current_win(window)
  else
    vim.cmd('botright split')
    vim.api.nvim_win_set_buf(0, buffer)
  end
  vim.keymap.set('n', 'q', '<cmd>close<cr>', { buffer = buffer, nowait = true })
  return buffer
end

-- Lines of a text, without the control characters that a terminal would obey.
local function lines_of(text)
  return vim.split((text:gsub('[%z\1-\8\11-\31\127]', '')), '\n', { plain = true })
end

function M.show_text(title, text)
  open(title, lines_of(text))
end

-- Shows memories; Enter on one calls `on_open` with its id.
function M.show(title, memories, on_open)
  local lines, ids = {}, {}
  local function add(line, id)
    for _, one in ipairs(lines_of(line)) do
      lines[#lines + 1] = one
      ids[#lines] = id
    end
  end
  for _, memory in ipairs(memories) do
    local about = { memory.type }
    if memory.project then
      about[#about + 1] = memory.project
    end
    add(('## #%d %s'):format(memory.id, (memory.title:gsub('\n', ' '))), memory.id)
    add(table.concat(about, ' · '), memory.id)
    if memory.content and memory.content ~= memory.title then
      add('', memory.id)
      add(memory.content, memory.id)
    end
    add('', memory.id)
  end
  local buffer = open(title, lines)
  vim.keymap.set('n', '<cr>', function()
    local id = ids[vim.api.nvim_win_get_cursor(0)[1]]
    if id then
      on_open(id)
    end
  end, { buffer = buffer, nowait = true, desc = 'Open this memory' })
end

return M
